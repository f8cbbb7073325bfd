package io.lambdafs.store.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.testkit.Waits;
import io.lambdafs.model.time.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Groups of commits, written when a script lets them. Time stands still until it is moved. */
class GroupCommitTest {
    private static final long EVER = Long.MAX_VALUE;

    private final AtomicLong now = new AtomicLong();
    private final List<List<String>> written = new CopyOnWriteArrayList<>();
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private volatile CountDownLatch arrived = new CountDownLatch(1);
    private volatile @Nullable FsException full;
    private volatile @Nullable Throwable broken;
    private volatile @Nullable Thread thread;

    private final Scheduler scheduler = new Scheduler() {
        @Override
        public long nanoTime() {
            return now.get();
        }

        @Override
        public long currentTimeMillis() {
            return now.get() / 1_000_000;
        }

        @Override
        public Timer schedule(long delayNanos, Runnable task) {
            throw new UnsupportedOperationException();
        }

        @Override
        public RandomGenerator random() {
            return new Random(1);
        }

        @Override
        public void execute(Runnable command) {
            command.run();
        }
    };

    private final GroupCommit.Writer<String> writer = new GroupCommit.Writer<>() {
        @Override
        public @Nullable FsException full() {
            return full;
        }

        @Override
        public long write(List<String> group, BitSet refused) {
            thread = Thread.currentThread();
            arrived.countDown();
            pass(gate);
            Throwable why = broken;
            if (why instanceof Error e) {
                throw e;
            }
            if (why instanceof RuntimeException e) {
                throw e;
            }
            written.add(group);
            return 10L * group.size();
        }
    };

    private final CommitObserver observer = new CommitObserver() {
        @Override
        public void group(int commits, long bytes, long nanos) {
            heard.add(commits + " of " + bytes + " in " + nanos);
        }

        @Override
        public void failed(int commits) {
            heard.add(commits + " failed");
        }
    };

    private final GroupCommit<String> commits = new GroupCommit<>(scheduler, writer, observer);

    @AfterEach
    void close() {
        gate.countDown();
        commits.close();
    }

    private static void pass(CountDownLatch latch) {
        try {
            // One that is open lets an interrupted thread pass, too.
            if (latch.getCount() != 0) {
                latch.await();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private CompletableFuture<Void> submit(String name, long bytes, boolean grows, long deadlineMillis) {
        return commits.submit(name, bytes, grows, deadlineMillis).toCompletableFuture();
    }

    private CompletableFuture<Void> submit(String name) {
        return submit(name, 1, false, EVER);
    }

    /** Has the writer stand still with a first commit. */
    private CompletableFuture<Void> block() {
        gate = new CountDownLatch(1);
        CompletableFuture<Void> first = submit("first");
        pass(arrived);
        return first;
    }

    private static void assertDone(CompletableFuture<Void> commit) {
        Waits.join(commit);
    }

    private static void assertFails(CompletableFuture<Void> commit, ErrorCode code, String why) {
        Throwable thrown = Waits.join(commit.handle((value, failure) -> failure));
        assertThat(thrown)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(why);
    }

    @Test
    void shouldWriteWhatHasWaitedAsOneGroupInItsOrder() {
        CompletableFuture<Void> first = block();
        List<CompletableFuture<Void>> others = List.of(submit("b"), submit("c"), submit("d"));
        assertThat(first).isNotDone();
        now.set(7);

        gate.countDown();

        others.forEach(GroupCommitTest::assertDone);
        assertDone(first);
        assertThat(written).containsExactly(List.of("first"), List.of("b", "c", "d"));
        assertThat(heard).containsExactly("1 of 10 in 7", "3 of 30 in 0");
    }

    @Test
    void shouldCloseAGroupThatIsLargeEnough() {
        block();
        int half = GroupCommit.MAX_GROUP_BYTES / 2;
        List<CompletableFuture<Void>> large =
                List.of(submit("b", half, false, EVER), submit("c", half, false, EVER), submit("d", half, false, EVER));

        gate.countDown();

        large.forEach(GroupCommitTest::assertDone);
        assertThat(written).containsExactly(List.of("first"), List.of("b", "c"), List.of("d"));
    }

    @Test
    void shouldRefuseWhatComesTooLateAndWhatGrowsAStoreThatIsFull() {
        block();
        CompletableFuture<Void> late = submit("late", 1, false, 4);
        CompletableFuture<Void> big = submit("big", 1, true, EVER);
        CompletableFuture<Void> small = submit("small", 1, false, 5);
        full = new FsException(ErrorCode.STORE_FULL, "no room");
        now.set(5_000_000);

        gate.countDown();

        assertFails(late, ErrorCode.DEADLINE_EXCEEDED, "nothing was changed");
        assertFails(big, ErrorCode.STORE_FULL, "no room");
        assertDone(small);
        full = null;
        assertDone(submit("grown", 1, true, EVER));
        assertThat(written).containsExactly(List.of("first"), List.of("small"), List.of("grown"));
        assertThat(heard).contains("1 failed", "1 failed");
    }

    @Test
    void shouldGoOnAfterAGroupThatCouldNotBeWritten() {
        broken = FsException.unavailable("disk");
        assertFails(submit("a"), ErrorCode.UNAVAILABLE, "disk");
        broken = new IllegalStateException("a mistake");
        assertFails(submit("b"), ErrorCode.INTERNAL, "a mistake");
        broken = null;

        assertDone(submit("c"));
        assertThat(written).containsExactly(List.of("c"));
        assertThat(heard).containsExactly("1 failed", "1 failed", "1 of 10 in 0");
    }

    @Test
    void shouldBoundTheBytesThatWait() {
        block();
        long half = GroupCommit.MAX_QUEUED_BYTES / 2;
        CompletableFuture<Void> alone = submit("a", half, false, EVER);
        CompletableFuture<Void> other = submit("b", GroupCommit.MAX_QUEUED_BYTES - half, false, EVER);
        assertFails(
                submit("c", 1, false, EVER),
                ErrorCode.UNAVAILABLE,
                "commits of " + GroupCommit.MAX_QUEUED_BYTES + " bytes wait");

        gate.countDown();
        assertDone(alone);
        assertDone(other);
        assertDone(submit("more than may wait", 2 * GroupCommit.MAX_QUEUED_BYTES, false, EVER));
        assertDone(submit("d"));
    }

    @Test
    void shouldBoundTheCommitsThatWait() {
        block();
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        for (int i = 0; i < GroupCommit.MAX_QUEUED_COMMITS; i++) {
            waiting.add(submit("w" + i, 0, false, EVER));
        }
        assertFails(submit("c", 0, false, EVER), ErrorCode.UNAVAILABLE, "20000 commits wait");

        gate.countDown();
        waiting.forEach(GroupCommitTest::assertDone);
    }

    @Test
    void shouldSayThatTheDiskHangs() {
        now.set(Duration.ofMinutes(1).toNanos());
        CompletableFuture<Void> first = block();
        now.addAndGet(Duration.ofSeconds(10).toNanos());
        assertThat(commits.trouble()).isEmpty();
        now.addAndGet(Duration.ofSeconds(2).toNanos());
        assertThat(commits.trouble()).hasValueSatisfying(why -> assertThat(why).contains("for 12 s"));

        gate.countDown();
        assertDone(first);
        assertThat(commits.trouble()).isEmpty();
    }

    @Test
    void shouldLeaveNobodyWaitingWhereItsThreadDies() {
        CompletableFuture<Void> first = block();
        CompletableFuture<Void> queued = submit("queued");
        broken = new StackOverflowError("of the test");

        gate.countDown();

        assertFails(first, ErrorCode.CONNECTION_LOST, "it may have been made");
        assertFails(queued, ErrorCode.UNAVAILABLE, "has died (java.lang.StackOverflowError: of the test)");
        assertFails(submit("later"), ErrorCode.UNAVAILABLE, "has died");
        assertThat(commits.trouble()).hasValueSatisfying(why -> assertThat(why).contains("start the store again"));
        await().dontCatchUncaughtExceptions()
                .untilAsserted(() -> assertThat(heard).containsExactly("1 failed", "1 failed"));
    }

    @Test
    void shouldEndAfterEverythingThatWasSubmitted() {
        CompletableFuture<Void> first = block();
        CompletableFuture<Void> queued = submit("queued");
        CompletableFuture<Void> closing = CompletableFuture.runAsync(commits::close);
        while (!submit("late").isCompletedExceptionally()) {
            LockSupport.parkNanos(100_000);
        }
        assertThat(closing).isNotDone();

        gate.countDown();

        assertDone(closing);
        assertThat(first).isCompleted();
        assertThat(queued).isCompleted();
        assertFails(submit("late"), ErrorCode.UNAVAILABLE, "the store is closed");
        commits.expect();
        Thread.currentThread().interrupt();
        commits.close();
        assertThat(Thread.interrupted()).as("an interruption is kept").isTrue();
    }

    @Test
    void shouldGoOnWhereItsThreadIsInterrupted() {
        assertDone(submit("a"));
        thread.interrupt();

        assertDone(submit("b"));
        assertThat(written).containsExactly(List.of("a"), List.of("b"));
    }

    @Test
    void shouldMakeNothingOfCommitsThatWereExpectedAndDoNotCome() {
        for (int i = 0; i < 100; i++) {
            commits.expect();
            now.addAndGet(300_000);
            assertDone(submit("c" + i));
        }
        assertThat(written).hasSize(100).allMatch(group -> group.size() == 1);
        assertThat(heard).hasSize(100).allMatch("1 of 10 in 0"::equals);
    }
}
