package io.lambdafs.platform.aws;

import java.util.Locale;

/**
 * What became, or would become, of one part of a stack. Immutable.
 *
 * @param type in CloudFormation's words
 * @param id in the template
 */
public record PartChange(Kind kind, String type, String id) {
    /** How it changed. */
    public enum Kind {
        CREATED,
        UPDATED,
        REMOVED
    }

    /** For people. */
    public String line() {
        return String.format(Locale.ROOT, "%-8s %s %s", kind.name().toLowerCase(Locale.ROOT), type, id);
    }
}
