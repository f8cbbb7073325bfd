package io.lambdafs.benchmarks.micro.driver;

import org.jspecify.annotations.Nullable;

/**
 * One call of a file system. Immutable.
 *
 * @param to where a rename goes; null for the others
 * @param entries least number of entries that a listing must have; 0 for the others
 * @param <P> how the file system's interface names a path
 */
record Step<P>(Kind kind, P path, @Nullable P to, int entries) {
    /** What is called. */
    enum Kind {
        MKDIRS,
        /** An empty file, complete when the call is over. */
        CREATE,
        STAT,
        /** And close, where the interface has streams. */
        OPEN,
        /** All of a directory. */
        LIST,
        RENAME,
        DELETE
    }

    static <P> Step<P> of(Kind kind, P path) {
        return new Step<>(kind, path, null, 0);
    }

    static <P> Step<P> list(P path, int entries) {
        return new Step<>(Kind.LIST, path, null, entries);
    }

    static <P> Step<P> rename(P from, P to) {
        return new Step<>(Kind.RENAME, from, to, 0);
    }

    P destination() {
        if (to == null) {
            throw new IllegalStateException(kind + " has no destination");
        }
        return to;
    }
}
