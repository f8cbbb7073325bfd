package io.lambdafs.store.snapshot;

import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Mutation.Delta;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file whose content versions hold (PROTOCOL: V5), as a row of {@link Schema#HELD_FILES}. Immutable.
 *
 * @param versions how many hold it; more come only while the file is there
 * @param isGone whether the file was removed, and its content only waits for them
 */
public record HeldFile(long versions, boolean isGone) {
    public static Key key(long inodeId) {
        return Schema.HELD_FILES.key(inodeId);
    }

    public static HeldFile of(@Nullable Row row) {
        return row == null ? new HeldFile(0, false) : new HeldFile(row.int64(0), row.int64(1) > 0);
    }

    public Row row(long inodeId) {
        return new Row(key(inodeId), versions, isGone ? 1L : 0L);
    }

    /** Returns the delta of a version that comes, or of some that go. */
    public static Mutation more(long inodeId, long versions) {
        return new Mutation.Merge(key(inodeId), List.of(new Delta(0, Delta.Kind.ADD, versions)));
    }
}
