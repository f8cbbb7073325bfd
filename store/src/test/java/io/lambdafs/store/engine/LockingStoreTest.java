package io.lambdafs.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Mutation.Delta;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.block.Datanode;
import io.lambdafs.store.block.LiveDatanodes;
import io.lambdafs.store.format.FormatLevel;
import io.lambdafs.store.lock.Handover;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests transactions whose engine answers when a script lets it. */
class LockingStoreTest {
    private static final Key KEY = Schema.SEQUENCES.key("a");
    private static final Mutation PUT = new Mutation.Put(new Row(KEY, 1L));
    private static final Duration LIMIT = Duration.ofSeconds(5);

    /** Answers reads at once, and commits when told; or the other way round. */
    private static final class Engine implements RowEngine {
        @Nullable
        CompletableFuture<List<@Nullable Row>> reading;

        @Nullable
        CompletableFuture<Void> applying;

        @Nullable
        CompletableFuture<List<Row>> scanning;

        int scans;
        boolean broken;
        boolean closed;

        @Override
        public CompletionStage<List<@Nullable Row>> read(List<Key> keys) {
            return reading != null
                    ? reading
                    : CompletableFuture.completedFuture(Collections.nCopies(keys.size(), null));
        }

        @Override
        public CompletionStage<List<Row>> scan(Scan scan) {
            scans++;
            return scanning != null ? scanning : CompletableFuture.completedFuture(List.of());
        }

        @Override
        public CompletionStage<Void> apply(List<Mutation> mutations, long deadlineMillis) {
            if (broken) {
                throw new IllegalArgumentException("no such row");
            }
            return applying != null ? applying : CompletableFuture.completedFuture(null);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private final Engine engine = new Engine();
    private final ManualScheduler scheduler = new ManualScheduler(1);
    private final LockingStore store = new LockingStore(
            scheduler, StoreLimits.defaults().withTransactionLimit(LIMIT).withMaxWaitersPerKey(7), engine);

    private static CompletableFuture<List<@Nullable Row>> lock(StoreTransaction transaction) {
        return transaction.read(List.of(Read.exclusive(KEY)), 0).toCompletableFuture();
    }

    private static CompletableFuture<Void> commit(StoreTransaction transaction, Mutation... changes) {
        return transaction.commit(List.of(changes), Long.MAX_VALUE).toCompletableFuture();
    }

    private static Throwable failure(CompletableFuture<?> stage) {
        assertThat(stage).isCompletedExceptionally();
        return FsException.unwrap(stage.handle((value, thrown) -> thrown).join());
    }

    private static void assertFails(CompletableFuture<?> stage, ErrorCode code, String why) {
        assertThat(failure(stage))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(why);
    }

    /** Holds the lock, and its commit is under way. */
    private CompletableFuture<Void> committing(StoreTransaction transaction) {
        engine.applying = new CompletableFuture<>();
        lock(transaction);
        return commit(transaction, PUT);
    }

    @Test
    void shouldHoldTheLocksOfACommitUntilItIsDurableWhoeverEndsIt() {
        StoreTransaction writer = store.begin(3);
        CompletableFuture<Void> commit = committing(writer);
        CompletableFuture<List<@Nullable Row>> next = lock(store.begin(0));

        writer.abort();
        CompletableFuture<Void> fence = store.fence(3).toCompletableFuture();
        scheduler.run();
        assertThat(next).isNotDone();
        assertThat(fence).isNotDone();

        engine.applying.complete(null);
        scheduler.run();
        assertThat(commit).isCompleted();
        assertThat(next).isCompleted();
        assertThat(fence).isCompleted();
    }

    @Test
    void shouldSayWhyItIsOverToWhoeverCallsAgain() {
        StoreTransaction fenced = store.begin(3);
        lock(fenced);
        store.fence(3);
        assertFails(lock(fenced), ErrorCode.FENCED, "epoch 3 is dead");
        assertFails(commit(fenced), ErrorCode.FENCED, "epoch 3 is dead");

        StoreTransaction failed = store.begin(0);
        CompletableFuture<Void> commit = committing(failed);
        engine.applying.completeExceptionally(FsException.unavailable("disk full"));
        assertFails(commit, ErrorCode.UNAVAILABLE, "disk full");
        assertFails(lock(failed), ErrorCode.UNAVAILABLE, "disk full");

        StoreTransaction done = store.begin(0);
        engine.applying = null;
        assertThat(commit(done, PUT)).isCompleted();
        assertFails(lock(done), ErrorCode.STORE_CONFLICT, "has ended");
    }

    @Test
    void shouldSayThatItWasFencedRatherThanWhatCameLater() {
        engine.reading = new CompletableFuture<>();
        StoreTransaction reader = store.begin(3);
        CompletableFuture<List<@Nullable Row>> read =
                reader.read(List.of(Read.unlocked(KEY)), 0).toCompletableFuture();
        store.fence(3);

        engine.reading.completeExceptionally(FsException.unavailable("disk"));

        assertFails(read, ErrorCode.FENCED, "epoch 3 is dead");
    }

    @Test
    void shouldAnswerOneCallAtATime() {
        CompletableFuture<List<@Nullable Row>> reading = new CompletableFuture<>();
        engine.reading = reading;
        StoreTransaction transaction = store.begin(0);
        CompletableFuture<List<@Nullable Row>> first = lock(transaction);

        assertThat(failure(lock(transaction))).isInstanceOf(IllegalStateException.class);
        assertThat(failure(commit(transaction, PUT))).isInstanceOf(IllegalStateException.class);
        reading.complete(Collections.singletonList(null));

        assertThat(first).as("goes on").isCompleted();
        assertThat(commit(transaction, PUT)).isCompleted();
    }

    @Test
    void shouldFreeTheLocksOfACommitThatTheEngineDoesNotTake() {
        engine.broken = true;
        StoreTransaction transaction = store.begin(0);
        lock(transaction);

        assertThat(failure(commit(transaction, PUT))).hasMessage("no such row");
        assertThat(lock(store.begin(0))).isCompleted();
    }

    @Test
    void shouldRefuseADeltaOfWhatIsNoNumber() {
        for (int column : new int[] {-1, 1}) {
            Mutation merge = new Mutation.Merge(KEY, List.of(new Delta(column, Delta.Kind.ADD, 1)));
            assertThat(failure(commit(store.begin(0), merge)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("column " + column + " of sequences takes no deltas");
        }
        Mutation text = new Mutation.Merge(FormatLevel.KEY, List.of(new Delta(0, Delta.Kind.ADD, 1)));
        assertThat(failure(commit(store.begin(0), text))).hasMessageContaining("settings takes no deltas");
    }

    @Test
    void shouldCommitNothingUntilItsDeadlineAndNotAfter() {
        scheduler.advance(Duration.ofMillis(5).toNanos());

        assertThat(store.begin(0).commit(List.of(), 5).toCompletableFuture()).isCompleted();
        assertFails(
                store.begin(0).commit(List.of(), 4).toCompletableFuture(), ErrorCode.DEADLINE_EXCEEDED, "has passed");
    }

    @Test
    void shouldEndEachTransactionAtItsOwnLimit() {
        scheduler.advance(Duration.ofMinutes(1).toNanos());
        StoreTransaction first = store.begin(0);
        lock(first);
        scheduler.advance(Duration.ofSeconds(2).toNanos());
        StoreTransaction second = store.begin(0);
        second.read(List.of(Read.unlocked(KEY)), 0);
        assertThat(store.openTransactions()).isEqualTo(2);

        scheduler.advance(Duration.ofSeconds(3).toNanos());
        assertThat(store.openTransactions()).isEqualTo(1);
        assertFails(lock(first), ErrorCode.STORE_CONFLICT, "took longer than 5000 ms");
        scheduler.advance(Duration.ofSeconds(2).toNanos() - 1);
        assertThat(store.openTransactions()).isEqualTo(1);
        scheduler.advance(1);
        assertThat(store.openTransactions()).isZero();
        assertThat(scheduler.timers()).isZero();
    }

    @Test
    void shouldEndTransactionsWhileACommitOutlivesItsLimit() {
        CompletableFuture<Void> commit = committing(store.begin(0));
        scheduler.advance(LIMIT.toNanos());
        StoreTransaction later = store.begin(0);
        later.read(List.of(Read.unlocked(KEY)), 0);

        scheduler.advance(LIMIT.toNanos());

        assertFails(lock(later), ErrorCode.STORE_CONFLICT, "took longer than 5000 ms");
        assertThat(store.openTransactions()).isEqualTo(1);
        engine.applying.complete(null);
        assertThat(commit).isCompleted();
        assertThat(store.openTransactions()).isZero();
    }

    @Test
    void shouldEndWhatIsOpenWhenItCloses() {
        StoreTransaction holder = store.begin(0);
        lock(holder);
        CompletableFuture<List<@Nullable Row>> waiting = lock(store.begin(0));
        assertThat(store.lockStatistics().waiting()).isEqualTo(1);

        store.close();
        scheduler.run();

        assertFails(waiting, ErrorCode.UNAVAILABLE, "is closing");
        assertFails(commit(holder, PUT), ErrorCode.UNAVAILABLE, "is closing");
        assertFails(lock(store.begin(0)), ErrorCode.UNAVAILABLE, "is closed");
        assertThat(store.openTransactions()).isZero();
        assertThat(engine.closed).isTrue();
    }

    @Test
    void shouldBeAskedForDatanodesOnceHoweverManyAsk() {
        engine.scanning = new CompletableFuture<>();
        LiveDatanodes datanodes = new LiveDatanodes(store, scheduler);
        CompletableFuture<List<Datanode>> first = datanodes.live().toCompletableFuture();
        CompletableFuture<List<Datanode>> second = datanodes.live().toCompletableFuture();
        assertThat(engine.scans).isEqualTo(1);

        engine.scanning.completeExceptionally(new FsException(ErrorCode.INTERNAL, "damaged"));
        assertFails(first, ErrorCode.INTERNAL, "damaged");
        assertFails(second, ErrorCode.INTERNAL, "damaged");

        engine.scanning = null;
        assertThat(datanodes.live().toCompletableFuture()).isCompletedWithValue(List.of());
        assertThat(engine.scans).isEqualTo(2);
    }

    @Test
    void shouldFenceInstancesOnly() {
        for (long epoch : new long[] {0, -1}) {
            assertThat(failure(store.fence(epoch).toCompletableFuture()))
                    .hasMessageContaining("no instance has the epoch " + epoch);
        }
        assertThat(lock(store.begin(0))).isCompleted();
    }

    @Test
    void shouldKeepTheLimitsThatAreNotChanged() {
        StoreLimits limits = StoreLimits.defaults()
                .withLockWait(Duration.ofMillis(1))
                .withTransactionLimit(Duration.ofMillis(2))
                .withMaxTransactions(3)
                .withMaxWaitersPerKey(4);

        assertThat(limits).isEqualTo(new StoreLimits(Duration.ofMillis(1), Duration.ofMillis(2), 3, 4));
    }

    @Test
    void shouldHandATaskOverLaterOrHereRatherThanLoseIt() {
        int[] runs = {0};
        ManualScheduler full = new ManualScheduler(1) {
            @Override
            public void execute(Runnable command) {
                throw new RejectedExecutionException("full");
            }
        };

        Handover.to(full, () -> runs[0]++);
        assertThat(runs[0]).as("later").isZero();
        full.advance(Duration.ofMillis(1).toNanos());
        assertThat(runs[0]).isEqualTo(1);

        full.refuse(true);
        Handover.to(full, () -> runs[0]++);
        assertThat(runs[0]).as("here").isEqualTo(2);
    }
}
