package io.lambdafs.functions.namenode;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Greeting;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.GuardedCommit;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.StoreTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts what an instance sends to the store and to other instances, and stops the instance at one of these calls: before it is sent,
 * or when it has been sent and nothing has come back. While an instance stands still it sends nothing and learns nothing; when it is
 * thawed it goes on where it was. Until armed everything passes as if this were not here. Not thread-safe.
 */
final class Failpoint {
    enum Side {
        BEFORE,
        AFTER
    }

    /** After this what was sent before the process ended has arrived, and then its connections are closed. */
    private static final long CLOSED_NANOS = 10_000_000;

    private final Scheduler world;
    private final Scheduler process;
    private final List<StoreTransaction> begun = new ArrayList<>();
    private boolean armed;
    private int calls;
    private int stopAt;
    private Side side = Side.BEFORE;
    private Runnable stop = () -> {};

    Failpoint(Scheduler world, Scheduler process) {
        this.world = world;
        this.process = process;
    }

    /** Calls {@code stop}, which freezes the process, at a call from now on; the first has the number 1. */
    void arm(int call, Side where, Runnable stopping) {
        armed = true;
        calls = 0;
        stopAt = call;
        side = where;
        stop = stopping;
    }

    boolean hasStopped() {
        return armed && calls >= stopAt;
    }

    /** Ends the transactions of its connection, as the store does when a process is gone. */
    void closeConnections() {
        world.schedule(CLOSED_NANOS, () -> begun.forEach(StoreTransaction::abort));
    }

    private <T> CompletionStage<T> step(Supplier<CompletionStage<T>> call) {
        if (!armed) {
            return call.get();
        }
        boolean last = ++calls == stopAt;
        if (last && side == Side.BEFORE) {
            stop.run();
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        process.execute(() -> {
            call.get()
                    .whenComplete((value, error) -> process.execute(() -> {
                        if (error == null) {
                            answer.complete(value);
                        } else {
                            answer.completeExceptionally(error);
                        }
                    }));
            if (last && side == Side.AFTER) {
                stop.run();
            }
        });
        return answer;
    }

    /** Deadline of the last commit. */
    long lastDeadlineMillis;

    MetadataStore wrap(MetadataStore store) {
        return new MetadataStore() {
            @Override
            public StoreTransaction begin(long epoch) {
                StoreTransaction inner = store.begin(epoch);
                begun.add(inner);
                return new Steps(inner);
            }

            @Override
            public CompletionStage<Void> fence(long epoch) {
                return step(() -> store.fence(epoch));
            }

            @Override
            public void close() {
                store.close();
            }
        };
    }

    private final class Steps implements StoreTransaction {
        private final StoreTransaction inner;

        Steps(StoreTransaction inner) {
            this.inner = inner;
        }

        @Override
        public CompletionStage<List<@Nullable Row>> read(List<Read> reads, long lockWaitNanos) {
            return step(() -> inner.read(reads, lockWaitNanos));
        }

        @Override
        public CompletionStage<List<Row>> scan(Scan scan) {
            return step(() -> inner.scan(scan));
        }

        @Override
        public CompletionStage<Void> commit(List<Mutation> mutations, long deadlineMillis) {
            lastDeadlineMillis = deadlineMillis;
            return step(() -> inner.commit(mutations, deadlineMillis));
        }

        @Override
        public CompletionStage<List<@Nullable Row>> readAndEnd(List<Read> reads, long lockWaitNanos) {
            return step(() -> inner.readAndEnd(reads, lockWaitNanos));
        }

        @Override
        public CompletionStage<Optional<List<@Nullable Row>>> commitIf(GuardedCommit guarded) {
            lastDeadlineMillis = guarded.deadlineMillis();
            return step(() -> inner.commitIf(guarded));
        }

        @Override
        public void abort() {
            if (armed) {
                process.execute(this::end);
            } else {
                end();
            }
        }

        private void end() {
            begun.remove(inner);
            inner.abort();
        }
    }

    InvalidationChannel wrap(InvalidationChannel channel) {
        return new InvalidationChannel() {
            @Override
            public CompletionStage<Endpoint> open(Receiver receiver) {
                return channel.open(receiver);
            }

            @Override
            public CompletionStage<Acknowledgement> invalidate(
                    Member target, Invalidation invalidation, long timeoutNanos) {
                return step(() -> channel.invalidate(target, invalidation, timeoutNanos));
            }

            @Override
            public CompletionStage<Acknowledgement> greet(Member target, Greeting greeting, long timeoutNanos) {
                return channel.greet(target, greeting, timeoutNanos);
            }

            @Override
            public void retain(View view) {
                channel.retain(view);
            }

            @Override
            public void close() {
                channel.close();
            }
        };
    }
}
