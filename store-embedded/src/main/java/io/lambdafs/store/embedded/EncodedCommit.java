package io.lambdafs.store.embedded;

import io.lambdafs.store.ChangeLog;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A commit encoded on its caller's thread, ready for the log. */
record EncodedCommit(List<Change> changes) {
    private static final int OVERHEAD = 16;

    /**
     * One change.
     *
     * @param row the new row; null for a delete or a merge
     * @param value its bytes
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Change(
            Key key, byte[] keyBytes, @Nullable Row row, byte @Nullable [] value, Mutation.@Nullable Merge merge) {
        /** Returns whether it is appended to the change log, which assigns its key. */
        boolean isAppended() {
            return row != null && key.equals(ChangeLog.UNPLACED);
        }

        private static Change of(Mutation mutation) {
            byte[] key = KeyBytes.of(mutation.key());
            if (mutation instanceof Mutation.Put put) {
                return new Change(put.key(), key, put.row(), RowBytes.of(put.row()), null);
            }
            if (mutation instanceof Mutation.Append append) {
                return new Change(append.key(), key, append.row(), RowBytes.of(append.row()), null);
            }
            return new Change(mutation.key(), key, null, null, mutation instanceof Mutation.Merge merge ? merge : null);
        }
    }

    static EncodedCommit of(List<Mutation> mutations) {
        return new EncodedCommit(mutations.stream().map(Change::of).toList());
    }

    long bytes() {
        long bytes = 0;
        for (Change change : changes) {
            byte[] value = change.value();
            bytes += OVERHEAD + change.keyBytes().length + (value == null ? 0 : value.length);
        }
        return bytes;
    }
}
