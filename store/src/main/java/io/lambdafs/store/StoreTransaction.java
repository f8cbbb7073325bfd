package io.lambdafs.store;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A transaction by strict two-phase locking, with the locks requested by its reads. Each method is one message to a
 * remote store. One call at a time; after a failed call the transaction is over, its locks are released and every later
 * call fails. Failures are {@code FsException}s: {@code STORE_CONFLICT} (lock wait exceeded, deadlock, transaction
 * limit exceeded), {@code FENCED} (the owner's epoch is dead), {@code UNAVAILABLE} (store not reached; nothing
 * happened), {@code CONNECTION_LOST} (only of {@link #commit} and {@link #commitIf}: it may have happened), {@code
 * STORE_FULL}, {@code DEADLINE_EXCEEDED}.
 */
public interface StoreTransaction {
    /** The lock wait of a read that takes its locks at once or fails with {@code STORE_CONFLICT}. */
    long AT_ONCE = -1;

    /**
     * Locks and reads rows. The locks of one call are taken in the total order of keys, first come first served; then
     * all rows are read at one moment. A key can be locked without a row. Locks are not upgraded: requesting a stronger
     * lock on a held key is an {@code IllegalArgumentException}.
     *
     * @param lockWaitNanos longest wait for each lock; 0 for the store's own limit; {@link #AT_ONCE} to fail at the first lock
     *     that is not free
     * @return rows in the order of the reads; null for a missing row
     */
    CompletionStage<List<@Nullable Row>> read(List<Read> reads, long lockWaitNanos);

    /** Reads as {@link #read} and ends the transaction: locks serve only to wait for current holders. */
    default CompletionStage<List<@Nullable Row>> readAndEnd(List<Read> reads, long lockWaitNanos) {
        return read(reads, lockWaitNanos).whenComplete((rows, failure) -> abort());
    }

    /** Reads a page of a partition. */
    CompletionStage<List<Row>> scan(Scan scan);

    /**
     * Commits: makes all changes durable atomically, or none, and ends the transaction.
     *
     * @param deadlineMillis wall clock of the store, milliseconds since 1970: after it the commit is refused with
     *     {@code DEADLINE_EXCEEDED}; {@code Long.MAX_VALUE} for none
     */
    CompletionStage<Void> commit(List<Mutation> mutations, long deadlineMillis);

    /**
     * Locks and reads as {@link #read} with the store's own limit, and commits if every guard holds. The whole commit
     * is one message. A caller that gets {@code CONNECTION_LOST} can learn the outcome by locking one of its keys
     * exclusively in a new transaction on the same store.
     *
     * @return empty if committed, with the transaction over; else the rows in the order of the reads, null for a
     *     missing row, and the transaction continues with its locks
     */
    default CompletionStage<Optional<List<@Nullable Row>>> commitIf(GuardedCommit guarded) {
        return read(guarded.reads(), 0)
                .thenCompose(rows -> guarded.holds(rows)
                        ? commit(guarded.mutations(), guarded.deadlineMillis()).thenApply(done -> Optional.empty())
                        : CompletableFuture.completedFuture(Optional.of(rows)));
    }

    /** Ends the transaction without changes. Idempotent; does nothing after a commit. */
    void abort();
}
