package io.lambdafs.functions.namenode;

import io.lambdafs.functions.housekeeping.Reclaimer;
import io.lambdafs.model.Times;

/**
 * What an operator chooses. Immutable.
 *
 * @param superuser the user that passes every permission check, besides members of the supergroup
 * @param smallFileLimit longest content kept with the metadata, in bytes
 * @param maxCachedListing directories with more entries are listed from the store, page by page
 * @param reclaim how fast rows of detached trees are removed
 * @param changeLogEntries of the change log that are kept; 0 for no change log
 */
public record NameNodeSettings(
        String superuser,
        Times times,
        int smallFileLimit,
        int maxCachedListing,
        Reclaimer.Limits reclaim,
        int changeLogEntries) {
    public static NameNodeSettings defaults(String superuser) {
        return new NameNodeSettings(superuser, Times.DEFAULT, 64 << 10, 20_000, Reclaimer.Limits.DEFAULT, 0);
    }
}
