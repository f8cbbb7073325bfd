package io.lambdafs.model.inode;

import io.lambdafs.model.FsException;

/**
 * The limits of a directory, as HDFS has them. A change that adds to what is limited is refused beyond the limit; all
 * others are not, so a limit may lie below what is there. Immutable.
 *
 * @param names of files and directories, the directory itself included; {@link #NONE} for no limit
 * @param space bytes × replication; {@link #NONE} for no limit
 */
public record Quota(long names, long space) {
    /** The number that stands for no limit, and in a change removes one. */
    public static final long NONE = -1;
    /** The number that in a change leaves a limit as it is. */
    public static final long KEEP = Long.MAX_VALUE;

    /** No limits. */
    public static final Quota UNLIMITED = new Quota(NONE, NONE);

    /** Fails {@code INVALID_ARGUMENT} if a number can be neither a limit nor one of those above. */
    public static void check(long names, long space) {
        if (names < NONE || space < NONE) {
            throw FsException.invalidArgument("Illegal value for nsQuota or ssQuota : " + names + " and " + space);
        }
    }

    /** Returns the limits after a change. */
    public Quota changed(long newNames, long newSpace) {
        return new Quota(newNames == KEEP ? names : newNames, newSpace == KEEP ? space : newSpace);
    }

    /** Returns the files and directories that count against the limit of a directory with this below it. */
    public static long names(DirectoryTotals below) {
        return below.files() + below.directories() + 1;
    }

    /** Returns whether a directory with this below it may get so many names more. */
    public boolean admitsNames(DirectoryTotals below, DirectoryTotals more) {
        return admits(names, names(below), more.files() + more.directories());
    }

    /** Returns whether a directory with this below it may get so much space more. */
    public boolean admitsSpace(DirectoryTotals below, DirectoryTotals more) {
        return admits(space, below.space(), more.space());
    }

    private static boolean admits(long limit, long used, long more) {
        return limit == NONE || more <= 0 || more <= limit - used;
    }
}
