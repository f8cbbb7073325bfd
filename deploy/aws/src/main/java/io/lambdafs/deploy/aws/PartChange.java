package io.lambdafs.deploy.aws;

import java.util.Locale;

/**
 * A change, real or planned, of one part of a stack. Immutable.
 *
 * @param type in CloudFormation's words
 * @param id in the template
 */
public record PartChange(Kind kind, String type, String id) {
    /** The kind of change. */
    public enum Kind {
        CREATED,
        UPDATED,
        REMOVED
    }

    /** Returns a line for people. */
    public String line() {
        return String.format(Locale.ROOT, "%-8s %s %s", kind.name().toLowerCase(Locale.ROOT), type, id);
    }
}
