package io.lambdafs.store.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.LockMode;
import io.lambdafs.store.Read;
import io.lambdafs.store.Schema;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Scripts: who asks for what, and who holds it then. Time is moved by hand. */
class LockTableTest {
    private static final Key A = Schema.INODES.key(1L, "a");
    private static final Key B = Schema.INODES.key(1L, "b");
    private static final Key C = Schema.INODES.key(1L, "c");
    private static final long SECOND = 1_000_000_000L;

    private final ManualScheduler scheduler = new ManualScheduler(1);
    private final LockTable table = new LockTable(scheduler, 100);
    private final LockTable.Owner one = table.owner();
    private final LockTable.Owner two = table.owner();
    private final LockTable.Owner three = table.owner();

    private CompletableFuture<Void> ask(LockTable.Owner owner, Read... reads) {
        return table.acquire(owner, List.of(reads), SECOND).toCompletableFuture();
    }

    private void release(LockTable.Owner owner) {
        table.release(owner);
        scheduler.run();
    }

    private static Throwable failure(CompletableFuture<?> stage) {
        assertThat(stage).isCompletedExceptionally();
        return stage.handle((value, thrown) -> thrown).join();
    }

    private static void assertConflict(CompletableFuture<?> stage, String message) {
        assertThat(failure(stage)).isInstanceOfSatisfying(FsException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.STORE_CONFLICT);
            assertThat(e).hasMessageContaining(message);
        });
    }

    @Test
    void shouldShareAndExclude() {
        assertThat(ask(one, Read.shared(A))).isCompleted();
        assertThat(ask(two, Read.shared(A))).isCompleted();
        CompletableFuture<Void> writer = ask(three, Read.exclusive(A));
        release(one);
        assertThat(writer).isNotDone();
        release(two);
        assertThat(writer).isCompleted();
        assertThat(table.held(three, A)).isEqualTo(LockMode.EXCLUSIVE);
    }

    @Test
    void shouldNotLetLaterReadersPassAWaitingWriter() {
        ask(one, Read.shared(A));
        CompletableFuture<Void> writer = ask(two, Read.exclusive(A));
        CompletableFuture<Void> reader = ask(three, Read.shared(A));
        assertThat(reader).isNotDone();
        release(one);
        assertThat(writer).isCompleted();
        assertThat(reader).isNotDone();
        release(two);
        assertThat(reader).isCompleted();
    }

    @Test
    void shouldLetReadersPassWhenTheWriterBeforeThemGivesUp() {
        ask(one, Read.shared(A));
        CompletableFuture<Void> writer = ask(two, Read.exclusive(A));
        CompletableFuture<Void> reader = ask(three, Read.shared(A));
        table.abort(two, new FsException(ErrorCode.FENCED, "dead"));
        scheduler.run();
        assertThat(failure(writer))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FENCED));
        assertThat(reader).isCompleted();
    }

    @Test
    void shouldBeReentrantAndTakeTheStrongerOfTwoInOneCall() {
        assertThat(ask(one, Read.shared(A), Read.exclusive(A))).isCompleted();
        assertThat(table.held(one, A)).isEqualTo(LockMode.EXCLUSIVE);
        CompletableFuture<Void> waiting = ask(two, Read.shared(A));
        assertThat(ask(one, Read.shared(A))).isCompleted();
        assertThat(ask(one, Read.exclusive(A))).isCompleted();
        assertThat(waiting).isNotDone();
    }

    @Test
    void shouldRefuseUpgradeAndFreeEverything() {
        ask(one, Read.shared(A), Read.shared(B));
        CompletableFuture<Void> waiting = ask(two, Read.exclusive(B));
        assertThat(failure(ask(one, Read.exclusive(A)))).isInstanceOf(IllegalArgumentException.class);
        scheduler.run();
        assertThat(waiting).isCompleted();
    }

    @Test
    void shouldFailAfterTheLimitAndFreeWhatWasHeld() {
        ask(one, Read.exclusive(A));
        ask(two, Read.exclusive(B));
        CompletableFuture<Void> late = ask(two, Read.exclusive(A));
        CompletableFuture<Void> next = ask(three, Read.exclusive(B));
        scheduler.advance(SECOND - 1);
        assertThat(late).isNotDone();
        scheduler.advance(1);
        assertConflict(late, "within 1000 ms");
        assertThat(next).isCompleted();
        assertThat(table.statistics().timeouts()).isEqualTo(1);
    }

    @Test
    void shouldCountTheLimitForEachLockAnew() {
        ask(one, Read.exclusive(A));
        ask(two, Read.exclusive(B));
        CompletableFuture<Void> both = ask(three, Read.exclusive(A), Read.exclusive(B));
        scheduler.advance(SECOND / 2 + 1);
        release(one);
        scheduler.advance(SECOND / 2 + 1);
        assertThat(both).isNotDone();
        release(two);
        assertThat(both).isCompleted();
        assertThat(scheduler.timers()).isZero();
    }

    @Test
    void shouldRefuseTheRequestThatClosesACycle() {
        ask(one, Read.exclusive(A));
        ask(two, Read.exclusive(B));
        ask(three, Read.exclusive(C));
        CompletableFuture<Void> first = ask(one, Read.exclusive(B));
        CompletableFuture<Void> second = ask(two, Read.exclusive(C));
        assertConflict(ask(three, Read.exclusive(A)), "deadlock");
        scheduler.run();
        assertThat(second).isCompleted();
        assertThat(first).isNotDone();
        release(two);
        assertThat(first).isCompleted();
        assertThat(table.statistics().deadlocks()).isEqualTo(1);
    }

    @Test
    void shouldSeeACycleThroughAWaiterThatHoldsNothingThere() {
        // three waits behind two on A, one waits for three's B, two waits for one's A: closed by one.
        ask(one, Read.shared(A));
        ask(three, Read.exclusive(B));
        ask(two, Read.exclusive(A));
        CompletableFuture<Void> reader = ask(three, Read.shared(A));
        assertConflict(ask(one, Read.exclusive(B)), "deadlock");
        scheduler.run();
        release(two);
        assertThat(reader).isCompleted();
    }

    @Test
    void shouldBoundTheWaitersOfAKey() {
        LockTable small = new LockTable(scheduler, 1);
        LockTable.Owner holder = small.owner();
        small.acquire(holder, List.of(Read.exclusive(A)), SECOND);
        CompletableFuture<Void> waiter =
                small.acquire(small.owner(), List.of(Read.exclusive(A)), SECOND).toCompletableFuture();
        assertConflict(
                small.acquire(small.owner(), List.of(Read.exclusive(A)), SECOND).toCompletableFuture(),
                "1 transactions");
        small.release(holder);
        scheduler.run();
        assertThat(waiter).isCompleted();
    }

    @Test
    void shouldForgetKeysThatNobodyHolds() {
        ask(one, Read.exclusive(A), Read.shared(B));
        ask(two, Read.exclusive(A));
        release(one);
        release(two);
        assertThat(table.statistics().keys()).isZero();
        assertThat(table.statistics().waiting()).isZero();
        assertThat(scheduler.timers()).isZero();
    }

    @Test
    void shouldFailEveryRequestOfAnEndedOwner() {
        table.abort(one, new FsException(ErrorCode.FENCED, "dead"));
        assertThat(failure(ask(one, Read.shared(A)))).isInstanceOf(FsException.class);
        assertThat(ask(two, Read.exclusive(A))).isCompleted();
    }

    @Test
    void shouldForgetTheWaitOfAnOwnerThatIsEnded() {
        ask(one, Read.exclusive(A));
        ask(two, Read.exclusive(A));
        table.abort(two, new FsException(ErrorCode.FENCED, "dead"));
        assertThat(table.statistics().waiting()).isZero();
        assertThat(scheduler.timers()).isZero();
    }

    @Test
    void shouldEndTheOwnerOfARequestThatIsRefusedAfterItWaited() {
        ask(one, Read.exclusive(A));
        ask(three, Read.exclusive(B));
        CompletableFuture<Void> both = ask(two, Read.exclusive(A), Read.exclusive(B));
        CompletableFuture<Void> behind = ask(three, Read.exclusive(A));
        release(one);
        assertConflict(both, "deadlock");
        assertThat(behind).as("two, which was refused, holds nothing").isCompleted();
        assertConflict(ask(two, Read.shared(C)), "deadlock");
    }

    @Test
    void shouldAnswerOneRequestAtATime() {
        ask(one, Read.exclusive(A));
        CompletableFuture<Void> first = ask(two, Read.exclusive(A));
        assertThat(failure(ask(two, Read.exclusive(B)))).isInstanceOf(IllegalStateException.class);
        release(one);
        assertThat(first).isCompleted();
    }

    @Test
    void shouldWaitForNothingWhereTheLimitIsNegativeOnly() {
        ask(one, Read.exclusive(A));
        assertConflict(table.acquire(two, List.of(Read.shared(A)), -1).toCompletableFuture(), "is locked");
        CompletableFuture<Void> turn =
                table.acquire(three, List.of(Read.shared(A)), 0).toCompletableFuture();
        assertThat(turn).isNotDone();
        scheduler.advance(0);
        assertConflict(turn, "within 0 ms");
    }

    @Test
    void shouldCountWaitsAndHowLongTheyTook() {
        ask(one, Read.exclusive(A));
        scheduler.advance(SECOND);
        ask(two, Read.exclusive(A));
        ask(three, Read.exclusive(A));
        assertThat(table.statistics()).isEqualTo(new LockTable.Statistics(1, 2, 2, 0, 0, 0));
        scheduler.advance(SECOND / 2);
        release(one);
        assertThat(table.statistics()).isEqualTo(new LockTable.Statistics(1, 1, 2, SECOND / 2, 0, 0));
        scheduler.advance(SECOND / 2);
        assertThat(table.statistics()).isEqualTo(new LockTable.Statistics(1, 0, 2, SECOND / 2 + SECOND, 1, 0));
    }

    @Test
    void shouldRefuseAWaitThatNoTimerWouldEnd() {
        scheduler.refuse(true);
        ask(one, Read.exclusive(A));
        ask(two, Read.exclusive(B));
        assertThat(failure(ask(two, Read.exclusive(A)))).isInstanceOf(RejectedExecutionException.class);
        assertThat(ask(three, Read.exclusive(B))).isCompleted();
    }

    @Test
    void shouldTakeLocksInTheOrderOfTheirKeys() {
        ask(one, Read.exclusive(B));
        ask(two, Read.exclusive(C), Read.exclusive(B), Read.exclusive(A));
        assertThat(table.held(two, A)).isEqualTo(LockMode.EXCLUSIVE);
        assertThat(table.held(two, C)).isEqualTo(LockMode.NONE);
    }

    @Test
    void shouldGrantAThousandInTurnWithoutDeepStacks() {
        LockTable many = new LockTable(scheduler, 10_000);
        LockTable.Owner holder = many.owner();
        many.acquire(holder, List.of(Read.exclusive(A)), SECOND);
        int[] turn = {0};
        for (int i = 0; i < 10_000; i++) {
            int expected = i;
            LockTable.Owner owner = many.owner();
            many.acquire(owner, List.of(Read.exclusive(A)), SECOND).thenAccept(held -> {
                assertThat(turn[0]++).isEqualTo(expected);
                many.release(owner);
            });
        }
        many.release(holder);
        scheduler.run();
        assertThat(turn[0]).isEqualTo(10_000);
    }
}
