package io.lambdafs.functions.housekeeping;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.RequestId;
import io.lambdafs.model.Scheduler;
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
 * Removes the slots of client sessions that have been silent for longer than a slot lives. A session goes as a whole, in one
 * transaction that holds all its slots. Thread-safe.
 */
public final class SlotSweeper {
    /** So often in the life of a slot it sweeps. */
    private static final int SWEEPS_PER_LIFE = 10;

    private final MetadataStore store;
    private final Scheduler scheduler;
    private final LeaderSweep sweep;

    /**
     * @param epoch of this instance while it leads the others in chores; 0 while it does not, and nothing is done
     * @param slotLife how long a slot is kept after its last answer
     */
    public SlotSweeper(MetadataStore store, Scheduler scheduler, LongSupplier epoch, Duration slotLife) {
        this.store = store;
        this.scheduler = scheduler;
        this.sweep = new LeaderSweep(
                store, scheduler, epoch, slotLife.toNanos() / SWEEPS_PER_LIFE, Schema.CLIENTS, this::sweep);
    }

    /** Begins to sweep every tenth of a slot's life, the first time after that. */
    public void start() {
        sweep.start();
    }

    public void close() {
        sweep.close();
    }

    /** Looks at every session once; completes at its end. What fails is left for the next run. */
    public CompletionStage<Void> run() {
        return sweep.run();
    }

    private CompletionStage<Void> sweep(long current, Row session) {
        return session.int64(0) >= scheduler.currentTimeMillis()
                ? CompletableFuture.completedFuture(null)
                : sweep(current, session.key());
    }

    /**
     * Sweeps one session. Whoever makes a slot of it shares the lock of the note that it has slots; so behind that lock the scan finds all
     * that there are. They are locked out of order, and without a wait: a session in use is left alone.
     */
    private CompletionStage<Void> sweep(long current, Key note) {
        StoreTransaction transaction = store.begin(current);
        return transaction
                .read(List.of(Read.shared(Rows.instanceKey(current)), Read.exclusive(note)), 0)
                .thenCompose(rows -> rows.get(0) == null || rows.get(1) == null
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
