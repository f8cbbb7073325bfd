package io.lambdafs.functions.namenode;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.store.GuardedCommit;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.SnapshotScan;
import io.lambdafs.store.StoreTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store behind a network: calls arrive, and answers return, after random delays, unless they are held back. Not thread-safe. */
final class LatentStore implements MetadataStore {
    private final MetadataStore store;
    private final ManualScheduler scheduler;
    private long longestNanos;
    private Predicate<List<Mutation>> holdCommit = mutations -> false;
    private @Nullable CompletableFuture<Void> gate;
    private Predicate<List<Read>> holdRead = reads -> false;
    private @Nullable CompletableFuture<Void> readGate;
    private boolean answerLost;
    /** How many messages have asked for rows by their keys so far. */
    long reads;
    /** How many rows scans have found so far. */
    long scanned;

    LatentStore(MetadataStore store, ManualScheduler scheduler) {
        this.store = store;
        this.scheduler = scheduler;
    }

    void setLatency(Duration longest) {
        longestNanos = longest.toNanos();
    }

    /** Holds back the next commit that matches, with its locks where those are in the same message, before it reaches the store, until the returned future is completed. */
    CompletableFuture<Void> holdNextCommit(Predicate<List<Mutation>> matching) {
        holdCommit = matching;
        answerLost = false;
        gate = new CompletableFuture<>();
        return gate;
    }

    /** Holds back the next read that matches, before it reaches the store, until the returned future is completed. */
    CompletableFuture<Void> holdNextRead(Predicate<List<Read>> matching) {
        holdRead = matching;
        readGate = new CompletableFuture<>();
        return readGate;
    }

    /** Returns whether the read to hold back has come. */
    boolean holdsRead() {
        return readGate == null;
    }

    /** Returns whether the commit to hold back, or to lose, has come. */
    boolean holds() {
        return gate == null;
    }

    /**
     * Loses the connection under the next commit that matches: the caller is told so at once, and the message reaches the store when
     * the returned future is completed.
     */
    CompletableFuture<Void> loseNextCommit(Predicate<List<Mutation>> matching) {
        CompletableFuture<Void> arrives = holdNextCommit(matching);
        answerLost = true;
        return arrives;
    }

    private <T> CompletionStage<T> later(Supplier<CompletionStage<T>> call) {
        return delay().thenCompose(x -> call.get())
                .handle((value, error) -> delay().thenCompose(y -> error == null
                        ? CompletableFuture.completedFuture(value)
                        : CompletableFuture.<T>failedFuture(error)))
                .thenCompose(value -> value);
    }

    private CompletableFuture<Void> delay() {
        if (longestNanos == 0) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> passed = new CompletableFuture<>();
        scheduler.schedule(scheduler.random().nextLong(longestNanos), () -> passed.complete(null));
        return passed;
    }

    @Override
    public StoreTransaction begin(long epoch) {
        StoreTransaction inner = store.begin(epoch);
        return new StoreTransaction() {
            private boolean lost;

            @Override
            public CompletionStage<List<@Nullable Row>> read(List<Read> reads, long lockWaitNanos) {
                LatentStore.this.reads++;
                CompletableFuture<Void> held = readGate;
                if (held != null && holdRead.test(reads)) {
                    readGate = null;
                    return held.thenCompose(go -> later(() -> inner.read(reads, lockWaitNanos)));
                }
                return later(() -> inner.read(reads, lockWaitNanos));
            }

            @Override
            public CompletionStage<List<Row>> scan(Scan scan) {
                return later(() -> inner.scan(scan).thenApply(rows -> {
                    scanned += rows.size();
                    return rows;
                }));
            }

            @Override
            public CompletionStage<Void> commit(List<Mutation> mutations, long deadlineMillis) {
                CompletableFuture<Void> held = gate;
                if (held != null && holdCommit.test(mutations)) {
                    gate = null;
                    if (answerLost) {
                        lost = true;
                        held.thenCompose(go -> inner.commit(mutations, deadlineMillis));
                        return CompletableFuture.failedFuture(
                                new FsException(ErrorCode.CONNECTION_LOST, "the answer to the commit was lost"));
                    }
                    return held.thenCompose(go -> later(() -> inner.commit(mutations, deadlineMillis)));
                }
                return later(() -> inner.commit(mutations, deadlineMillis));
            }

            @Override
            public CompletionStage<Optional<List<@Nullable Row>>> commitIf(GuardedCommit guarded) {
                CompletableFuture<Void> held = gate;
                if (held == null || answerLost || !holdCommit.test(guarded.mutations())) {
                    return StoreTransaction.super.commitIf(guarded);
                }
                gate = null;
                return held.thenCompose(go -> later(() -> inner.commitIf(guarded)));
            }

            @Override
            public void abort() {
                if (!lost) {
                    inner.abort();
                }
            }
        };
    }

    @Override
    public CompletionStage<Void> fence(long epoch) {
        return later(() -> store.fence(epoch));
    }

    @Override
    public CompletionStage<String> openSnapshot() {
        return later(store::openSnapshot);
    }

    @Override
    public CompletionStage<List<Row>> scanSnapshot(SnapshotScan scan) {
        return later(() -> store.scanSnapshot(scan));
    }

    @Override
    public CompletionStage<Void> closeSnapshot(String snapshot) {
        return later(() -> store.closeSnapshot(snapshot));
    }

    @Override
    public void close() {
        store.close();
    }
}
