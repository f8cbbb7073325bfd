package io.lambdafs.functions.namenode;

import io.lambdafs.model.FsException;
import io.lambdafs.model.Scheduler;
import io.lambdafs.store.LockMode;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.StoreTransaction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store whose locks nobody waits for in vain: the holder of one may stand still without owing anybody an acknowledgement, and would
 * keep it until the store ends its transaction. While a read waits for locks longer than for a moment, every other member is made sure
 * to be responsive or dead, and the fence of one that is not frees its locks. One such round at a time, whoever waits. Thread-safe.
 */
final class WatchedStore implements MetadataStore {
    private final MetadataStore store;
    private final Scheduler scheduler;
    private final long momentNanos;
    private final Supplier<CompletionStage<Void>> probe;
    private CompletableFuture<Void> probing = CompletableFuture.completedFuture(null);

    /**
     * @param moment for which a wait is nothing uncommon, and between two rounds
     * @param probe of all other members
     */
    WatchedStore(MetadataStore store, Scheduler scheduler, Duration moment, Supplier<CompletionStage<Void>> probe) {
        this.store = store;
        this.scheduler = scheduler;
        this.momentNanos = moment.toNanos();
        this.probe = probe;
    }

    private <T> CompletionStage<T> watched(CompletionStage<T> read) {
        CompletableFuture<T> wait = read.toCompletableFuture();
        if (!wait.isDone()) {
            lookLater(wait);
        }
        return read;
    }

    private void lookLater(CompletableFuture<?> wait) {
        Scheduler.Timer timer;
        try {
            timer = scheduler.schedule(momentNanos, () -> look(wait));
        } catch (FsException full) {
            // Timers of this process are at their limit; the store ends the wait, or what is waited for.
            return;
        }
        wait.whenComplete((rows, error) -> timer.cancel());
    }

    private void look(CompletableFuture<?> wait) {
        if (!wait.isDone()) {
            probe().whenComplete((done, error) -> {
                if (!wait.isDone()) {
                    lookLater(wait);
                }
            });
        }
    }

    private synchronized CompletableFuture<Void> probe() {
        if (probing.isDone()) {
            probing = probe.get().toCompletableFuture();
        }
        return probing;
    }

    @Override
    public StoreTransaction begin(long epoch, Object partitionHint) {
        StoreTransaction inner = store.begin(epoch, partitionHint);
        return new StoreTransaction() {
            @Override
            public CompletionStage<List<@Nullable Row>> read(List<Read> reads, long lockWaitNanos) {
                boolean mayWait = lockWaitNanos >= 0 && reads.stream().anyMatch(each -> each.lock() != LockMode.NONE);
                CompletionStage<List<@Nullable Row>> rows = inner.read(reads, lockWaitNanos);
                return mayWait ? watched(rows) : rows;
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
