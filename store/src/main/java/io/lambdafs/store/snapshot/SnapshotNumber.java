package io.lambdafs.store.snapshot;

import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Mutation.Delta;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import java.util.List;

/**
 * A snapshot that was made at some time, as a row of {@link Schema#SNAPSHOT_NUMBERS}. Immutable.
 *
 * @param writes the commits that have added to what it keeps since that was last looked through
 */
public record SnapshotNumber(long number, long directoryId, boolean isLive, long writes) {
    /** The sequence of the numbers, which is locked from when one is taken until its snapshot is committed. */
    public static final Key SEQUENCE = Schema.SEQUENCES.key("snapshot");

    private static final int LIVE = 1;
    private static final int WRITES = 2;

    public static SnapshotNumber of(Row row) {
        return new SnapshotNumber(row.key().int64(1), row.int64(0), row.int64(LIVE) > 0, row.int64(WRITES));
    }

    public static Key key(long number) {
        return Schema.SNAPSHOT_NUMBERS.key(0L, number);
    }

    /** Returns the row of a new snapshot. */
    public static Row made(long number, long directoryId) {
        return new Row(key(number), directoryId, 1L, 0L);
    }

    /** Returns the delta of a commit that adds to what a snapshot keeps, or of a look through that (a negative number). */
    public static Mutation written(long number, long commits) {
        return new Mutation.Merge(key(number), List.of(new Delta(WRITES, Delta.Kind.ADD, commits)));
    }

    /** Returns the delta of a snapshot's deletion, after which what it keeps is looked through. */
    public static Mutation deleted(long number) {
        return new Mutation.Merge(
                key(number), List.of(new Delta(LIVE, Delta.Kind.ADD, -1), new Delta(WRITES, Delta.Kind.ADD, 1)));
    }
}
