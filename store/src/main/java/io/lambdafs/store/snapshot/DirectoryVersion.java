package io.lambdafs.store.snapshot;

import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;

/** The former counts of a directory (PROTOCOL: V3), as a row of {@link Schema#DIRECTORY_VERSIONS}. Immutable. */
public record DirectoryVersion(DirectoryStats stats, DirectoryTotals totals) {
    public static Key key(long directoryId, long number) {
        return Schema.DIRECTORY_VERSIONS.key(directoryId, number);
    }

    public Row row(long directoryId, long number) {
        return new Row(
                key(directoryId, number),
                stats.children(),
                stats.mtime(),
                totals.files(),
                totals.directories(),
                totals.bytes(),
                totals.space());
    }

    public static DirectoryVersion of(Row row) {
        return new DirectoryVersion(
                new DirectoryStats(row.int64(0), row.int64(1)),
                new DirectoryTotals(row.int64(2), row.int64(3), row.int64(4), row.int64(5)));
    }

    /** Returns the same with another time of the last modification, milliseconds since 1970. */
    public DirectoryVersion modified(long mtime) {
        return new DirectoryVersion(new DirectoryStats(stats.children(), mtime), totals);
    }
}
