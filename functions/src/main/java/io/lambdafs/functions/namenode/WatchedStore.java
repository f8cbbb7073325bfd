package io.lambdafs.functions.namenode;

import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Stages;
import io.lambdafs.store.GuardedCommit;
import io.lambdafs.store.LockMode;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.StoreTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A lock-wait watchdog around a store (PROTOCOL: W2). A lock's holder may hang without owing an acknowledgement to any round, and would
 * keep its lock until the store ends its transaction. While a read waits for locks beyond a threshold, every other member is probed;
 * one that does not answer is fenced, which frees its locks. At most one such round runs at a time and per threshold; a read that goes on
 * waiting asks for the next after twice the time. Thread-safe.
 */
public final class WatchedStore implements MetadataStore {
    private static final long SHORTEST_NANOS = 10_000_000;

    private final MetadataStore store;
    private final Scheduler scheduler;
    private final long momentNanos;
    private final Supplier<CompletionStage<Void>> probe;
    private CompletableFuture<Void> probing = CompletableFuture.completedFuture(null);
    private long probedNanos;

    /**
     * @param moment the threshold below which a wait is normal; also the minimum time between two rounds
     * @param probe of all other members
     */
    public WatchedStore(
            MetadataStore store, Scheduler scheduler, Duration moment, Supplier<CompletionStage<Void>> probe) {
        this.store = store;
        this.scheduler = scheduler;
        this.momentNanos = Math.max(moment.toNanos(), SHORTEST_NANOS);
        this.probe = probe;
        this.probedNanos = scheduler.nanoTime() - momentNanos;
    }

    private static boolean mayWait(List<Read> reads, long lockWaitNanos) {
        return lockWaitNanos >= 0 && reads.stream().anyMatch(each -> each.lock() != LockMode.NONE);
    }

    private <T> CompletionStage<T> watched(CompletionStage<T> read) {
        CompletableFuture<T> wait = read.toCompletableFuture();
        if (!wait.isDone()) {
            lookAfter(momentNanos, wait);
        }
        return read;
    }

    private void lookAfter(long nanos, CompletableFuture<?> wait) {
        Scheduler.Timer timer;
        try {
            timer = scheduler.schedule(nanos, () -> look(nanos, wait));
        } catch (FsException full) {
            // This process has no timers left; the store will end the wait or the transaction holding the lock.
            return;
        }
        wait.whenComplete((rows, error) -> timer.cancel());
    }

    private void look(long waited, CompletableFuture<?> wait) {
        if (!wait.isDone()) {
            probe().whenComplete((done, error) -> {
                if (!wait.isDone()) {
                    lookAfter(2 * waited, wait);
                }
            });
        }
    }

    private synchronized CompletableFuture<Void> probe() {
        long now = scheduler.nanoTime();
        if (probing.isDone() && now - probedNanos >= momentNanos) {
            probedNanos = now;
            probing = Stages.call(probe).toCompletableFuture();
        }
        return probing;
    }

    @Override
    public StoreTransaction begin(long epoch) {
        StoreTransaction inner = store.begin(epoch);
        return new StoreTransaction() {
            @Override
            public CompletionStage<List<@Nullable Row>> read(List<Read> reads, long lockWaitNanos) {
                CompletionStage<List<@Nullable Row>> rows = inner.read(reads, lockWaitNanos);
                return mayWait(reads, lockWaitNanos) ? watched(rows) : rows;
            }

            @Override
            public CompletionStage<List<@Nullable Row>> readAndEnd(List<Read> reads, long lockWaitNanos) {
                CompletionStage<List<@Nullable Row>> rows = inner.readAndEnd(reads, lockWaitNanos);
                return mayWait(reads, lockWaitNanos) ? watched(rows) : rows;
            }

            @Override
            public CompletionStage<Optional<List<@Nullable Row>>> commitIf(GuardedCommit guarded) {
                return watched(inner.commitIf(guarded));
            }

            @Override
            public CompletionStage<List<Row>> scan(Scan scan) {
                return inner.scan(scan);
            }

            @Override
            public CompletionStage<Void> commit(List<Mutation> mutations, long deadlineMillis) {
                return inner.commit(mutations, deadlineMillis);
            }

            @Override
            public void abort() {
                inner.abort();
            }
        };
    }

    @Override
    public CompletionStage<Void> fence(long epoch) {
        return store.fence(epoch);
    }

    @Override
    public void close() {
        store.close();
    }
}
