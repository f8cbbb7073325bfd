package io.lambdafs.store.format;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The levels of the stored format. A store has one level, in {@link Schema#SETTINGS}; data that a level adds is stored
 * only from that level on, so that earlier builds can read the store until an operator raises it ({@link Upgrade}). A
 * build reads all levels up to {@link #NEWEST} and refuses newer ones.
 *
 * <p>A transaction that stores data added by a level reads {@link #KEY} under a shared lock, so instances need no
 * notice of a change. Rows and columns that earlier builds can ignore need no level.
 */
public enum FormatLevel {
    FIRST(1, "trees, and files that are kept with the metadata"),
    /** {@link Schema#BLOCKS}, {@link Schema#WRITER_LEASES}, {@link Schema#DETACHED_FILES} and {@link Schema#INVALID_BLOCKS} have rows. */
    BLOCKS(2, "files in blocks, which datanodes keep"),
    /** A file may show less than its content or its last block has. */
    CUT(3, "files that were truncated"),
    /** An INode says that it has more rows, and {@link Schema#XATTRS} has rows. */
    XATTRS(4, "extended attributes"),
    /** {@link Schema#CHANGES} has rows. */
    CHANGES(5, "a change log, where one is switched on"),
    /** An INode has an ACL. */
    ACLS(6, "ACLs, and the safe mode"),
    /** An INode has a storage policy. */
    POLICIES(7, "storage policies"),
    /** {@link io.lambdafs.store.instance.Deployments} may be of another generation than the first. */
    GENERATIONS(8, "a number of deployments that can be changed"),
    /** {@link Schema#BLOCK_REPORTS} and {@link Schema#BLOCK_FAULTS} have rows. */
    REPORTS(9, "reports of what block stores have"),
    /** Instances want a datanode's receipt for each block. */
    RECEIPTS(10, "blocks whose lengths their datanodes sign"),
    /** {@link Schema#DIRECTORY_TOTALS} has rows, and every write keeps them. */
    TOTALS(11, "totals of directories without a walk"),
    /** A directory has limits in its row of {@link Schema#DIRECTORY_TOTALS}, and a file being written what it has reserved. */
    QUOTAS(12, "quotas of directories"),
    /** {@link Schema#SNAPSHOTS} has rows, and so have the tables that belong to it. */
    SNAPSHOTS(13, "snapshots of directories");

    /**
     * The prefix of the level of a store being loaded from a dump: every build refuses it. Until another level is written, an engine may answer commits before
     * they last; a commit that writes {@link #KEY} lasts, and with it all before it, when it is answered.
     */
    public static final String LOADING = "loading ";

    /** The level at which this build formats stores. */
    public static final FormatLevel NEWEST = SNAPSHOTS;

    /** The setting with the level. */
    public static final Key KEY = Schema.SETTINGS.key("format");

    private final int number;
    private final String brings;

    FormatLevel(int number, String brings) {
        this.number = number;
        this.brings = brings;
    }

    public int number() {
        return number;
    }

    /** Returns whether a store with this row of {@link #KEY} is being loaded from a dump. */
    public static boolean isLoading(@Nullable Row row) {
        return row != null && row.string(0).startsWith(LOADING);
    }

    /** Returns in words what can be stored from this level on. */
    public String brings() {
        return brings;
    }

    /** Returns the migration of stored rows for this level: none so far, as every level only adds. */
    Migration migration() {
        return Migration.NONE;
    }

    /** Returns the setting's row for this level. */
    public Row row() {
        return new Row(KEY, Integer.toString(number));
    }

    /** Returns whether a store of this level may hold what {@code other} has added. */
    public boolean has(FormatLevel other) {
        return number >= other.number;
    }

    /**
     * Checks that the store's level may hold what this one has added.
     *
     * @param row of {@link #KEY}
     * @param refusal the beginning of the error message: what cannot be stored
     * @throws FsException {@code UNSUPPORTED}
     */
    public void check(@Nullable Row row, String refusal) {
        FormatLevel stored = of(row);
        if (!stored.has(this)) {
            throw new FsException(
                    ErrorCode.UNSUPPORTED,
                    refusal + ": the store has format level " + stored.number
                            + ": once every instance is of this build, raise it (lambdafs upgrade --finalize)");
        }
    }

    /**
     * Returns the level in a row; the first level if null, as in a store not yet formatted.
     *
     * @throws FsException {@code UNSUPPORTED}: the level is newer than this build
     */
    public static FormatLevel of(@Nullable Row row) {
        if (row == null) {
            return FIRST;
        }
        String found = row.string(0);
        for (FormatLevel level : values()) {
            if (found.equals(Integer.toString(level.number))) {
                return level;
            }
        }
        if (found.startsWith(LOADING)) {
            throw new FsException(
                    ErrorCode.UNSUPPORTED,
                    "the store is being filled with the dump " + found.substring(LOADING.length())
                            + ", or that was interrupted: repeat the load, or empty the store");
        }
        throw new FsException(
                ErrorCode.UNSUPPORTED,
                "the store has format level " + found + ", and this build reads levels up to " + NEWEST.number
                        + ": use the build that raised it, or a later one");
    }
}
