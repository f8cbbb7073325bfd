package io.lambdafs.store;

import java.time.Duration;

/**
 * Who writes a file, as the row in {@link Schema#WRITER_LEASES} says. Immutable.
 *
 * @param holder the writer's user
 * @param generation the same as in the file's row, where it is compared
 * @param renewedMillis wall clock of the instance that renewed it last
 */
public record WriterLease(long inodeId, String holder, long generation, long renewedMillis) {
    public static Key key(long inodeId) {
        return Schema.WRITER_LEASES.key(inodeId);
    }

    public static WriterLease of(Row row) {
        return new WriterLease(row.key().int64(0), row.string(0), row.int64(1), row.int64(2));
    }

    /** Returns whether its writer has been heard of for the last time longer ago than a limit. */
    public boolean isSilent(long nowMillis, Duration limit) {
        return nowMillis - renewedMillis >= limit.toMillis();
    }

    public Row row() {
        return new Row(key(inodeId), holder, generation, renewedMillis);
    }
}
