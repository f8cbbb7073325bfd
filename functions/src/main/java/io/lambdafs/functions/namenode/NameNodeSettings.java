package io.lambdafs.functions.namenode;

import io.lambdafs.model.time.Times;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A NameNode's settings. Immutable.
 *
 * @param superuser the user that passes every permission check, besides members of the supergroup
 * @param smallFileLimit maximum content stored with the metadata, in bytes
 * @param maxCachedListing directories with more entries are listed from the store, page by page
 * @param reclaim rate at which rows of detached trees are removed
 * @param changeLogEntries change log entries kept; 0 for no change log
 * @param trash retention of the users' trash
 */
public record NameNodeSettings(
        String superuser,
        Times times,
        int smallFileLimit,
        int maxCachedListing,
        Reclaim reclaim,
        int changeLogEntries,
        Trash trash) {
    /** Settings with a trash that is never emptied. */
    public NameNodeSettings(
            String superuser,
            Times times,
            int smallFileLimit,
            int maxCachedListing,
            Reclaim reclaim,
            int changeLogEntries) {
        this(superuser, times, smallFileLimit, maxCachedListing, reclaim, changeLogEntries, Trash.KEPT);
    }

    /**
     * How the users' trash is emptied. Immutable.
     *
     * @param life retention of a checkpoint; zero for unlimited
     * @param zone time zone of checkpoint names
     */
    public record Trash(Duration life, ZoneId zone) {
        public static final Trash KEPT = new Trash(Duration.ZERO, ZoneOffset.UTC);
    }

    /**
     * How many entries of detached trees are removed at once. Immutable.
     *
     * @param batch children removed or detached per transaction, 1–4,096
     * @param parallel concurrent transactions, 1–64
     */
    public record Reclaim(int batch, int parallel) {
        public static final Reclaim DEFAULT = new Reclaim(512, 4);

        public Reclaim {
            if (batch < 1 || batch > 4_096 || parallel < 1 || parallel > 64) {
                throw new IllegalArgumentException(
                        "1..4096 rows and 1..64 transactions, not " + batch + " and " + parallel);
            }
        }
    }

    public static NameNodeSettings defaults(String superuser) {
        return new NameNodeSettings(superuser, Times.DEFAULT, 64 << 10, 20_000, Reclaim.DEFAULT, 0);
    }
}
