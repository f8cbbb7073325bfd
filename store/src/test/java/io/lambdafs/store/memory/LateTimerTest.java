package io.lambdafs.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.engine.StoreLimits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** A store that has stood still: messages that waited are handled before the timers that are due. */
class LateTimerTest {
    private static final Key KEY = Schema.SEQUENCES.key("a");

    private final ManualScheduler time = new ManualScheduler(1);

    private final Scheduler late = new Scheduler() {
        @Override
        public long nanoTime() {
            return time.nanoTime();
        }

        @Override
        public long currentTimeMillis() {
            return time.currentTimeMillis();
        }

        @Override
        public Timer schedule(long delayNanos, Runnable task) {
            return () -> {};
        }

        @Override
        public RandomGenerator random() {
            return time.random();
        }

        @Override
        public void execute(Runnable command) {
            command.run();
        }
    };

    private final MemoryStore store =
            new MemoryStore(late, new StoreLimits(Duration.ofMillis(100), Duration.ofMillis(200), 100, 100));

    @Test
    void shouldCommitATransactionUntilItsLimitAndUntilTheDeadlineOfTheCommit() {
        StoreTransaction transaction = store.begin(0);
        Row row = new Row(KEY, 1L);
        transaction.read(List.of(Read.exclusive(KEY)), 0);
        time.advance(Duration.ofMillis(200).toNanos());
        assertThat(store.openTransactions()).isEqualTo(1);
        assertThat(store.lockStatistics().keys()).isEqualTo(1);

        assertThat(store.begin(0).commit(List.of(new Mutation.Delete(KEY)), 199).toCompletableFuture())
                .isCompletedExceptionally();
        assertThat(transaction.commit(List.of(new Mutation.Put(row)), 200).toCompletableFuture())
                .isCompleted();

        assertThat(store.rows()).containsExactly(row);
        assertThat(store.openTransactions()).isZero();
        store.close();
        assertThat(store.begin(0).read(List.of(Read.shared(KEY)), 0).toCompletableFuture())
                .isCompletedExceptionally();
    }

    @Test
    void shouldNotCommitATransactionThatHasOutlivedItsLimit() {
        StoreTransaction transaction = store.begin(0);
        assertThat(transaction.read(List.of(Read.exclusive(KEY)), 0)).isCompleted();
        time.advance(Duration.ofMillis(201).toNanos());
        CompletableFuture<Void> commit = transaction
                .commit(List.of(new Mutation.Put(new Row(KEY, 1L))), Long.MAX_VALUE)
                .toCompletableFuture();
        assertThatThrownBy(commit::join)
                .satisfies(thrown -> assertThat(FsException.of(thrown).code()).isEqualTo(ErrorCode.STORE_CONFLICT));
        assertThat(store.begin(0).read(List.of(Read.exclusive(KEY)), 0).toCompletableFuture())
                .as("the lock is free, the row unchanged")
                .isCompletedWithValueMatching(rows -> rows.get(0) == null);
    }
}
