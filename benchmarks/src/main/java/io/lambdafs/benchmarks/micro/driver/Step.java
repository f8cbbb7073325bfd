package io.lambdafs.benchmarks.micro.driver;

import org.jspecify.annotations.Nullable;

/**
 * One call of a file system. Immutable.
 *
 * @param to target of a rename; null for other kinds
 * @param entries minimum of entries in a listing; 0 for other kinds
 * @param <P> type of a path in the file system's interface
 */
record Step<P>(Kind kind, P path, @Nullable P to, int entries) {
    /** The kind of a call. */
    enum Kind {
        MKDIRS,
        /** Creates an empty file, complete when the call ends. */
        CREATE,
        STAT,
        /** Opens a file, and closes it if the interface has streams. */
        OPEN,
        /** Lists a whole directory. */
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

    @Override
    public String toString() {
        return kind + " " + path;
    }

    P destination() {
        if (to == null) {
            throw new IllegalStateException(kind + " has no destination");
        }
        return to;
    }
}
