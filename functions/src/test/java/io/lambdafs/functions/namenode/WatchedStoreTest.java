package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.Read;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class WatchedStoreTest {
    private static final Key KEY = Schema.SEQUENCES.key("inode");
    private static final Duration MOMENT = Duration.ofMillis(100);

    private final ManualScheduler scheduler = new ManualScheduler(1);
    private final MemoryStore store = new MemoryStore(scheduler);
    private final WatchedStore watched = new WatchedStore(store, scheduler, MOMENT, this::probe);
    private final StoreTransaction holder = store.begin(1);
    private CompletableFuture<Void> answer = CompletableFuture.completedFuture(null);
    private int probes;

    private CompletionStage<Void> probe() {
        probes++;
        return answer;
    }

    private CompletionStage<?> read(Read read, long waitNanos) {
        return watched.begin(2).read(List.of(read), waitNanos);
    }

    private void pass(long millis) {
        scheduler.advance(Duration.ofMillis(millis).toNanos());
    }

    @Test
    void shouldAskNobodyForAWaitOfAMoment() {
        holder.read(List.of(Read.exclusive(KEY)), 0);
        CompletionStage<?> read = read(Read.exclusive(KEY), 0);
        pass(99);
        holder.abort();
        pass(500);
        assertThat(read.toCompletableFuture()).isCompleted();
        assertThat(probes).isZero();
    }

    @Test
    void shouldAskAgainAfterTwiceTheTimeAndOnceForAllThatWait() {
        holder.read(List.of(Read.exclusive(KEY)), 0);
        read(Read.exclusive(KEY), 0);
        read(Read.shared(KEY), 0);
        pass(100);
        assertThat(probes).isEqualTo(1);
        pass(199);
        assertThat(probes).isEqualTo(1);
        pass(1);
        assertThat(probes).isEqualTo(2);
        pass(400);
        assertThat(probes).isEqualTo(3);
    }

    @Test
    void shouldAskForEachThatWaitsWhenItHasWaited() {
        holder.read(List.of(Read.exclusive(KEY)), 0);
        CompletionStage<?> older =
                read(Read.exclusive(KEY), Duration.ofMillis(60).toNanos());
        pass(50);
        read(Read.exclusive(KEY), 0);
        pass(50);
        assertThat(older.toCompletableFuture()).isCompletedExceptionally();
        assertThat(probes).isZero();
        pass(49);
        assertThat(probes).isZero();
        pass(1);
        assertThat(probes).isEqualTo(1);
        pass(1_000);
        int before = probes;
        read(Read.exclusive(KEY), 0);
        pass(99);
        assertThat(probes).as("nobody is asked before the moment is over").isEqualTo(before);
        pass(1);
        assertThat(probes).isEqualTo(before + 1);
    }

    @Test
    void shouldNotAskWhileAnAnswerIsOut() {
        holder.read(List.of(Read.exclusive(KEY)), 0);
        answer = new CompletableFuture<>();
        read(Read.exclusive(KEY), 0);
        pass(150);
        read(Read.exclusive(KEY), 0);
        pass(1_000);
        assertThat(probes).isEqualTo(1);
        answer.complete(null);
        pass(200);
        assertThat(probes).isEqualTo(2);
    }

    @Test
    void shouldAskNobodyForWhatDoesNotWaitForLocks() {
        holder.read(List.of(Read.exclusive(KEY)), 0);
        assertThat(read(Read.unlocked(KEY), 0).toCompletableFuture()).isCompleted();
        assertThat(read(Read.exclusive(KEY), StoreTransaction.AT_ONCE).toCompletableFuture())
                .isCompletedExceptionally();
        pass(1_000);
        assertThat(probes).isZero();
    }
}
