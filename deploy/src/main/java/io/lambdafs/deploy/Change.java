package io.lambdafs.deploy;

import java.util.Locale;

/**
 * A change, real or planned, of one part of a deployment. Immutable.
 *
 * @param what kind of part in the platform's terms: {@code action}, {@code Service}
 * @param name its name on the platform
 * @param manifest the manifest sent, without secrets; empty if none
 */
public record Change(Kind kind, String what, String name, String manifest) {
    /** The kind of change. */
    public enum Kind {
        CREATED,
        UPDATED,
        UNCHANGED,
        REMOVED;

        /** Returns the label for people and scripts. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns a line for people. */
    public String line() {
        return String.format(Locale.ROOT, "%-9s %s %s", kind.label(), what, name);
    }
}
