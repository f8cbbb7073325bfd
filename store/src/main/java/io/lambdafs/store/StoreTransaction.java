package io.lambdafs.store;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A transaction: strict two-phase locking with the locks that its reads name. Each method is one message to a remote store. One
 * call at a time; a transaction in which a call failed is over, its locks are free and every later call fails. Failures are
 * {@code FsException}s: {@code STORE_CONFLICT} (lock wait exceeded, deadlock, transaction limit exceeded), {@code FENCED} (the
 * owner's epoch is dead), {@code UNAVAILABLE} (store not reached; nothing happened), {@code CONNECTION_LOST} (only of
 * {@link #commit} and {@link #commitIf}: it may have happened), {@code STORE_FULL}, {@code DEADLINE_EXCEEDED}.
 */
public interface StoreTransaction {
    /** The wait of a read that takes its locks at once or fails with {@code STORE_CONFLICT}. */
    long AT_ONCE = -1;

    /**
     * Locks and reads rows. The locks of one call are taken in the total order of the keys, first come first served; then all rows
     * are read at one moment. A key may be locked although no row exists. A lock that is held already is not upgraded: a stronger
     * one for the same key is an {@code IllegalArgumentException}.
     *
     * @param lockWaitNanos longest wait for each lock; 0 for the store's own limit; {@link #AT_ONCE} to fail at the first lock
     *     that is not free
     * @return rows in the order of the reads; null where there is none
     */
    CompletionStage<List<@Nullable Row>> read(List<Read> reads, long lockWaitNanos);

    /** As {@link #read}, and ends the transaction: its locks are taken only to read behind whoever holds them. */
    default CompletionStage<List<@Nullable Row>> readAndEnd(List<Read> reads, long lockWaitNanos) {
        return read(reads, lockWaitNanos).whenComplete((rows, failure) -> abort());
    }

    /** Reads a page of a partition. */
    CompletionStage<List<Row>> scan(Scan scan);

    /**
     * Makes all changes durable at once, or none, and ends the transaction.
     *
     * @param deadlineMillis wall clock of the store, milliseconds since 1970: after it the commit is refused with
     *     {@code DEADLINE_EXCEEDED}; {@code Long.MAX_VALUE} for none
     */
    CompletionStage<Void> commit(List<Mutation> mutations, long deadlineMillis);

    /**
     * Locks and reads as {@link #read} with the store's own limit; if every row is as its guard expects, commits. The whole commit is one
     * message. A caller that gets {@code CONNECTION_LOST} can learn the outcome by locking one of its keys exclusively in a new
     * transaction on the same store.
     *
     * @return empty if it has committed and the transaction is over; else the rows in the order of the reads, null where there is none,
     *     and the transaction goes on with its locks
     */
    default CompletionStage<Optional<List<@Nullable Row>>> commitIf(GuardedCommit guarded) {
        return read(guarded.reads(), 0)
                .thenCompose(rows -> guarded.holds(rows)
                        ? commit(guarded.mutations(), guarded.deadlineMillis()).thenApply(done -> Optional.empty())
                        : CompletableFuture.completedFuture(Optional.of(rows)));
    }

    /** Ends the transaction without a change. Idempotent; does nothing after a commit. */
    void abort();
}
