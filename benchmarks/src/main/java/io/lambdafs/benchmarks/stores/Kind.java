package io.lambdafs.benchmarks.stores;

import java.util.Locale;

/** What is asked of a store, {@link #IN_FLIGHT} at once. */
public enum Kind {
    /** The row of an INode that no cache has. */
    STAT,
    /** A file in one of the directories: its row, its directory's count and its request's slot, if it is not there and its directory is. */
    CREATE,
    /** A file from one directory into another: its rows, both counts, its slot. */
    RENAME,
    /** The {@link #LISTED} INodes of a directory. */
    LISTING;

    public static final int IN_FLIGHT = 64;
    /** Children of each directory that was there before. */
    public static final int LISTED = 100;
    /** Directories that files are created in and moved between. */
    public static final int DIRECTORIES = 100;

    /** As it is printed, and given to other processes. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
