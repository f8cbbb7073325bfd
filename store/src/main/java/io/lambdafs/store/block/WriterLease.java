package io.lambdafs.store.block;

import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import java.time.Duration;

/**
 * The writer lease of a file: a row of {@link Schema#WRITER_LEASES}. Immutable.
 *
 * @param holder the writer's user
 * @param generation same as in the file's row, which is the one checked
 * @param renewedMillis last renewal, by the wall clock of the instance that did it
 */
public record WriterLease(long inodeId, String holder, long generation, long renewedMillis) {
    public static Key key(long inodeId) {
        return Schema.WRITER_LEASES.key(inodeId);
    }

    public static WriterLease of(Row row) {
        return new WriterLease(row.key().int64(0), row.string(0), row.int64(1), row.int64(2));
    }

    /** Returns whether the last renewal is longer ago than a limit. */
    public boolean isSilent(long nowMillis, Duration limit) {
        return nowMillis - renewedMillis >= limit.toMillis();
    }

    public Row row() {
        return new Row(key(inodeId), holder, generation, renewedMillis);
    }
}
