package io.lambdafs.functions.housekeeping;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * Removes the slots of client sessions that have been silent for longer than the slot life. A session is removed as a
 * whole, in one transaction that locks all its slots. Thread-safe.
 */
public final class SlotSweeper implements Housekeeper {
    /** Number of sweeps per slot life. */
    private static final int SWEEPS_PER_LIFE = 10;

    private final MetadataStore store;
    private final Scheduler scheduler;
    private final LeaderSweep sweep;

    /**
     * @param epoch of this instance while it is the leader for chores; 0 otherwise, when nothing is done
     * @param slotLife how long a slot is kept after its last reply
     */
    public SlotSweeper(MetadataStore store, Scheduler scheduler, LongSupplier epoch, Duration slotLife) {
        this.store = store;
        this.scheduler = scheduler;
        this.sweep = new LeaderSweep(
                store, scheduler, epoch, slotLife.toNanos() / SWEEPS_PER_LIFE, Schema.CLIENTS, this::sweep);
    }

    /** Starts sweeping, every tenth of the slot life after an initial delay of the same. */
    @Override
    public void start() {
        sweep.start();
    }

    @Override
    public void close() {
        sweep.close();
    }

    /** Checks every session once; completes when done. Failures are left to the next run. */
    public CompletionStage<Void> run() {
        return sweep.run();
    }

    private CompletionStage<Void> sweep(long current, Row session) {
        return session.int64(0) >= scheduler.currentTimeMillis()
                ? CompletableFuture.completedFuture(null)
                : sweep(current, session.key());
    }

    /**
     * Sweeps one session. A transaction that creates a slot shares the lock of the session's note, so under the
     * exclusive lock the scan finds all slots. They are locked out of order but without waiting: a session in use is
     * left alone.
     */
    private CompletionStage<Void> sweep(long current, Key note) {
        StoreTransaction transaction = store.begin(current);
        return transaction
                .read(List.of(Read.shared(Rows.instanceKey(current)), Read.exclusive(note)), 0)
                .thenCompose(rows -> rows.get(0) == null
                        ? CompletableFuture.<Void>completedFuture(null)
                        : transaction
                                .scan(new Scan(Schema.SLOTS, note.string(1), null, RequestId.MAX_SLOTS))
                                .thenCompose(slots -> sweep(transaction, note, slots)))
                .whenComplete((done, error) -> transaction.abort())
                .exceptionallyCompose(error -> FsException.of(error).code() == ErrorCode.STORE_CONFLICT
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(error));
    }

    private CompletionStage<Void> sweep(StoreTransaction transaction, Key note, List<Row> slots) {
        long last = slots.stream().mapToLong(slot -> slot.int64(2)).max().orElse(0);
        if (last >= scheduler.currentTimeMillis()) {
            return transaction.commit(List.of(new Mutation.Put(new Row(note, last))), Long.MAX_VALUE);
        }
        List<Read> reads =
                slots.stream().map(slot -> Read.exclusive(slot.key())).toList();
        return transaction.read(reads, StoreTransaction.AT_ONCE).thenCompose(now -> {
            if (!now.equals(slots)) {
                return CompletableFuture.completedFuture(null);
            }
            List<Mutation> mutations = new ArrayList<>(slots.size() + 1);
            slots.forEach(slot -> mutations.add(new Mutation.Delete(slot.key())));
            mutations.add(new Mutation.Delete(note));
            return transaction.commit(mutations, Long.MAX_VALUE);
        });
    }
}
