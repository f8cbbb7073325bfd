package io.lambdafs.functions.housekeeping;

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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Removes the slots of client sessions that have been silent for longer than a slot lives. A session goes as a whole, in one
 * transaction that holds all its slots, so that a request under way keeps it. Thread-safe.
 */
public final class SlotSweeper {
    private static final long PERIOD_NANOS = 60_000_000_000L;
    private static final int SESSIONS_PER_RUN = 1_000;
    /** Slots of one session, and one more to see that there are no others. */
    private static final int MAX_SLOTS = io.lambdafs.model.RequestId.MAX_SLOTS + 1;

    private final MetadataStore store;
    private final Scheduler scheduler;
    private final LongSupplier epoch;
    private volatile boolean closed;
    private volatile Scheduler.@Nullable Timer timer;

    /**
     * @param epoch of this instance while it leads the others in chores; 0 while it does not, and nothing is done
     */
    public SlotSweeper(MetadataStore store, Scheduler scheduler, LongSupplier epoch) {
        this.store = store;
        this.scheduler = scheduler;
        this.epoch = epoch;
    }

    /** Begins to sweep every minute, the first time in a minute. */
    public void start() {
        if (!closed) {
            timer = scheduler.schedule(PERIOD_NANOS, () -> run().whenComplete((done, error) -> start()));
        }
    }

    public void close() {
        closed = true;
        Scheduler.Timer pending = timer;
        if (pending != null) {
            pending.cancel();
        }
    }

    /** Sweeps once; completes at its end. What fails is left for the next run. */
    public CompletionStage<Void> run() {
        long current = epoch.getAsLong();
        if (current == 0) {
            return CompletableFuture.completedFuture(null);
        }
        StoreTransaction look = store.begin(current, 0L);
        return look.scan(new Scan(Schema.CLIENTS, 0L, null, SESSIONS_PER_RUN))
                .whenComplete((rows, error) -> look.abort())
                .thenCompose(rows -> sweep(current, new ArrayDeque<>(rows)));
    }

    private CompletionStage<Void> sweep(long current, Deque<Row> sessions) {
        Row session = sessions.poll();
        if (session == null || closed) {
            return CompletableFuture.completedFuture(null);
        }
        CompletionStage<Void> swept = session.int64(0) < scheduler.currentTimeMillis()
                ? sweep(current, session.key())
                : CompletableFuture.completedFuture(null);
        return swept.thenCompose(done -> sweep(current, sessions));
    }

    private CompletionStage<Void> sweep(long current, Key session) {
        StoreTransaction transaction = store.begin(current, session.string(1));
        return transaction
                .scan(new Scan(Schema.SLOTS, session.string(1), null, MAX_SLOTS))
                .thenCompose(slots -> lock(transaction, current, session, slots))
                .whenComplete((done, error) -> transaction.abort());
    }

    private CompletionStage<Void> lock(StoreTransaction transaction, long current, Key session, List<Row> slots) {
        List<Read> reads = new ArrayList<>();
        reads.add(Read.shared(Rows.instanceKey(current)));
        reads.add(Read.exclusive(session));
        slots.forEach(slot -> reads.add(Read.exclusive(slot.key())));
        return transaction.read(reads, 0).thenCompose(rows -> {
            long now = scheduler.currentTimeMillis();
            long last = rows.stream()
                    .skip(2)
                    .filter(Objects::nonNull)
                    .mapToLong(slot -> slot.int64(2))
                    .max()
                    .orElse(0);
            if (rows.get(0) == null || rows.get(1) == null) {
                return CompletableFuture.completedFuture(null);
            }
            List<Mutation> mutations = new ArrayList<>();
            if (last >= now) {
                mutations.add(new Mutation.Put(new Row(session, last)));
            } else {
                slots.forEach(slot -> mutations.add(new Mutation.Delete(slot.key())));
                mutations.add(new Mutation.Delete(session));
            }
            return transaction.commit(mutations, Long.MAX_VALUE);
        });
    }
}
