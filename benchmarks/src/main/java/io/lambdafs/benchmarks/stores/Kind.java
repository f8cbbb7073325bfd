package io.lambdafs.benchmarks.stores;

import java.util.Locale;

/** The operations on a store, with {@link #IN_FLIGHT} in flight. */
public enum Kind {
    /** Reads the row of an INode that no cache has. */
    STAT,
    /**
     * Creates a file in one of the directories: its row, its directory's count and its request's slot, provided that
     * the directory exists and the file does not.
     */
    CREATE,
    /** Moves a file between directories: its rows, both counts, its slot. */
    RENAME,
    /** Reads the {@link #LISTED} INodes of a directory. */
    LISTING;

    public static final int IN_FLIGHT = 64;
    /** Children of each directory in the initial namespace. */
    public static final int LISTED = 100;
    /** Directories in which files are created and between which they move. */
    public static final int DIRECTORIES = 100;

    /** Returns the name in output. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
