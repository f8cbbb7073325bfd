package io.lambdafs.store.embedded;

import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A commit on its way to the log, encoded on its caller's thread. */
final class PendingCommit {
    /**
     * One change.
     *
     * @param row the new row; null for a delete or a merge
     * @param value its bytes
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Change(
            Key key, byte[] keyBytes, @Nullable Row row, byte @Nullable [] value, Mutation.@Nullable Merge merge) {
        private static Change of(Mutation mutation) {
            byte[] key = KeyBytes.of(mutation.key());
            if (mutation instanceof Mutation.Put put) {
                return new Change(put.key(), key, put.row(), RowBytes.of(put.row()), null);
            }
            return new Change(mutation.key(), key, null, null, mutation instanceof Mutation.Merge merge ? merge : null);
        }
    }

    private static final int OVERHEAD = 16;
    /** Column of {@link Schema#DIRECTORY_STATS}. */
    private static final int CHILDREN = 0;

    final List<Change> changes;
    final long deadlineMillis;
    final long bytes;
    /**
     * Whether it adds an entry to the namespace, or a content. All other commits are small, and what they change (who lives, which answer
     * was given, what is renamed, marked or removed) must go on when space is short.
     */
    final boolean grows;

    final CompletableFuture<Void> result = new CompletableFuture<>();

    PendingCommit(List<Mutation> mutations, long deadlineMillis) {
        this.deadlineMillis = deadlineMillis;
        changes = new ArrayList<>(mutations.size());
        long size = 0;
        long entries = 0;
        boolean contents = false;
        for (Mutation mutation : mutations) {
            Change change = Change.of(mutation);
            changes.add(change);
            byte[] value = change.value();
            size += OVERHEAD + change.keyBytes().length + (value == null ? 0 : value.length);
            contents |=
                    mutation instanceof Mutation.Put && mutation.key().table().equals(Schema.SMALL_FILES);
            entries += mutation instanceof Mutation.Merge merge ? addedEntries(merge) : 0;
        }
        bytes = size;
        grows = contents || entries > 0;
    }

    private static long addedEntries(Mutation.Merge merge) {
        if (!merge.key().table().equals(Schema.DIRECTORY_STATS)) {
            return 0;
        }
        return merge.deltas().stream()
                .filter(delta -> delta.kind() == Mutation.Delta.Kind.ADD && delta.column() == CHILDREN)
                .mapToLong(Mutation.Delta::operand)
                .sum();
    }
}
