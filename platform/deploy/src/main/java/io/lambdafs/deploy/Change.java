package io.lambdafs.deploy;

import java.util.Locale;

/**
 * What became, or would become, of one part of a deployment. Immutable.
 *
 * @param what it is, in the platform's words: {@code action}, {@code Service}
 * @param name its name on the platform
 * @param manifest what is sent, without secrets; empty where there is nothing to see
 */
public record Change(Kind kind, String what, String name, String manifest) {
    /** How it changed. */
    public enum Kind {
        CREATED,
        UPDATED,
        UNCHANGED,
        REMOVED;

        /** As people and scripts read it. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What people read. */
    public String line() {
        return String.format(Locale.ROOT, "%-9s %s %s", kind.label(), what, name);
    }
}
