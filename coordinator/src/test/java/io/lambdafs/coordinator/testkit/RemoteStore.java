package io.lambdafs.coordinator.testkit;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.StoreTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Supplier;

/**
 * A store as one process reaches it: each call takes a message there and one back, either of which is lost while the process is cut
 * off; the answer is taken in by the process, which may stand still. Thread-safe.
 */
public final class RemoteStore implements MetadataStore {
    private static final Duration CALL_LIMIT = Duration.ofSeconds(2);

    private final MetadataStore store;
    private final Scheduler network;
    private final Scheduler process;
    private final Supplier<Duration> latency;
    private final Set<StoreTransaction> open = ConcurrentHashMap.newKeySet();
    private final Set<Runnable> underWay = new CopyOnWriteArraySet<>();
    private volatile boolean partitioned;

    /**
     * @param network moves messages whatever becomes of the process
     * @param latency how long a message takes
     */
    public RemoteStore(MetadataStore store, Scheduler network, Scheduler process, Supplier<Duration> latency) {
        this.store = store;
        this.network = network;
        this.process = process;
        this.latency = latency;
    }

    /** Cuts the process off: calls go unanswered, and the store ends the transactions of the lost connection. */
    public void partition() {
        partitioned = true;
        List.copyOf(open).forEach(StoreTransaction::abort);
    }

    /** Lets it through again: what was under way has failed. */
    public void heal() {
        partitioned = false;
        List.copyOf(underWay).forEach(Runnable::run);
    }

    @Override
    public StoreTransaction begin(long epoch) {
        return new Remote(store.begin(epoch));
    }

    @Override
    public CompletionStage<Void> fence(long epoch) {
        return call(() -> store.fence(epoch), ErrorCode.UNAVAILABLE);
    }

    @Override
    public void close() {
        // The store is not this process's.
    }

    private <T> CompletionStage<T> call(Supplier<CompletionStage<T>> effect, ErrorCode lost) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Runnable lose = () -> result.completeExceptionally(new FsException(lost, "the store does not answer"));
        Scheduler.Timer limit = process.schedule(CALL_LIMIT.toNanos(), lose);
        underWay.add(lose);
        result.whenComplete((value, failure) -> {
            limit.cancel();
            underWay.remove(lose);
        });
        after(() -> {
            if (!partitioned) {
                effect.get().whenComplete((value, failure) -> after(() -> answer(value, failure, result)));
            }
        });
        return result;
    }

    private <T> void answer(T value, Throwable failure, CompletableFuture<T> result) {
        if (partitioned) {
            return;
        }
        process.execute(() -> {
            if (failure == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(failure);
            }
        });
    }

    private void after(Runnable step) {
        network.schedule(latency.get().toNanos(), step);
    }

    private final class Remote implements StoreTransaction {
        private final StoreTransaction there;

        Remote(StoreTransaction there) {
            this.there = there;
            open.add(there);
        }

        @Override
        public CompletionStage<List<Row>> read(List<Read> reads, long lockWaitNanos) {
            return call(() -> there.read(reads, lockWaitNanos), ErrorCode.UNAVAILABLE);
        }

        @Override
        public CompletionStage<List<Row>> scan(Scan scan) {
            return call(() -> there.scan(scan), ErrorCode.UNAVAILABLE);
        }

        @Override
        public CompletionStage<Void> commit(List<Mutation> mutations, long deadlineMillis) {
            return call(
                    () -> {
                        open.remove(there);
                        return there.commit(mutations, deadlineMillis);
                    },
                    ErrorCode.CONNECTION_LOST);
        }

        @Override
        public void abort() {
            after(() -> {
                if (!partitioned) {
                    open.remove(there);
                    there.abort();
                }
            });
        }
    }
}
