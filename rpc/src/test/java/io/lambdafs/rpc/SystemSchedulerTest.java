package io.lambdafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Chore;
import io.lambdafs.model.time.Scheduler;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SystemSchedulerTest {
    private final SystemScheduler scheduler = new SystemScheduler("test", 2, 4);
    private final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void close() {
        gate.countDown();
        scheduler.close();
    }

    private void waitAtGate() {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Keeps both threads busy and the queue full until the gate opens. */
    private void fill() {
        for (int i = 0; i < 6; i++) {
            scheduler.execute(this::waitAtGate);
        }
    }

    private static void assertRefused(ThrowingCallable call, ErrorCode code) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void shouldRunTasksOnNamedDaemonThreads() {
        CompletableFuture<Thread> ran = new CompletableFuture<>();

        scheduler.execute(() -> ran.complete(Thread.currentThread()));

        assertThat(ran.join().getName()).startsWith("test-");
        assertThat(ran.join().isDaemon()).isTrue();
    }

    @Test
    void shouldRefuseWhatExceedsItsQueue() {
        fill();

        assertRefused(() -> scheduler.execute(() -> {}), ErrorCode.OVERLOADED);
    }

    @Test
    void shouldFailAStageThatItCannotRun() {
        fill();

        CompletableFuture<Void> stage =
                CompletableFuture.<Void>completedFuture(null).thenRunAsync(() -> {}, scheduler);

        assertThatThrownBy(stage::join).hasRootCauseInstanceOf(FsException.class);
    }

    @Test
    void shouldRunTimedTasksOnThePoolAndNotBeforeTheirTime() {
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        CompletableFuture<Long> at = new CompletableFuture<>();
        long delay = TimeUnit.MILLISECONDS.toNanos(20);
        long start = scheduler.nanoTime();

        scheduler.schedule(delay, () -> {
            at.complete(scheduler.nanoTime());
            ran.complete(Thread.currentThread());
        });

        assertThat(at.join() - start).isGreaterThanOrEqualTo(delay);
        assertThat(ran.join().getName()).startsWith("test-").doesNotContain("timer");
    }

    @Test
    void shouldNotRunACancelledTask() {
        long delay = TimeUnit.MILLISECONDS.toNanos(10);
        AtomicInteger runs;
        long begun;
        do {
            runs = new AtomicInteger();
            begun = System.nanoTime();
            Scheduler.Timer timer = scheduler.schedule(delay, runs::incrementAndGet);
            timer.cancel();
            timer.cancel();
            // On a busy machine it may have been due before.
        } while (System.nanoTime() - begun >= delay);
        CompletableFuture<Void> later = new CompletableFuture<>();
        scheduler.schedule(TimeUnit.MILLISECONDS.toNanos(40), () -> later.complete(null));
        later.join();

        assertThat(runs).hasValue(0);
    }

    @Test
    void shouldNotLoseADueTaskToAFullQueue() {
        fill();
        AtomicInteger runs = new AtomicInteger();
        CompletableFuture<Void> timerPassed = new CompletableFuture<>();
        scheduler.schedule(0, runs::incrementAndGet);
        // The timer thread offered the first before it comes to the second, which needs room as well.
        scheduler.schedule(TimeUnit.MILLISECONDS.toNanos(20), () -> timerPassed.complete(null));

        gate.countDown();
        timerPassed.join();

        await().untilAsserted(() -> assertThat(runs).hasValue(1));
    }

    @Test
    void shouldSurviveAFailingTask() {
        CompletableFuture<Void> ran = new CompletableFuture<>();
        for (int i = 0; i < 3; i++) {
            scheduler.execute(() -> {
                throw new IllegalStateException("thrown on purpose");
            });
        }

        await().ignoreExceptions().until(() -> {
            scheduler.execute(() -> ran.complete(null));
            return true;
        });

        assertThat(ran.join()).isNull();
    }

    @Test
    void shouldRefuseEverythingOnceClosed() {
        Queue<String> done = new ConcurrentLinkedQueue<>();
        scheduler.execute(() -> done.add("queued"));

        scheduler.close();

        assertThat(done).containsExactly("queued");
        assertRefused(() -> scheduler.execute(() -> {}), ErrorCode.NOT_READY);
        assertRefused(() -> scheduler.schedule(1, () -> {}), ErrorCode.NOT_READY);
    }

    @Test
    void shouldGiveRandomNumbersThatDiffer() {
        assertThat(scheduler.random().longs(1_000).distinct().count()).isEqualTo(1_000);
        assertThat(scheduler.random().ints(1_000, 0, 10)).allMatch(i -> i >= 0 && i < 10);
    }

    @Test
    void shouldTellTheTime() {
        long nanos = scheduler.nanoTime();

        assertThat(scheduler.nanoTime()).isGreaterThanOrEqualTo(nanos);
        assertThat(scheduler.currentTimeMillis()).isGreaterThan(1_700_000_000_000L);
    }

    @Test
    void shouldTakeAChoresTurnWhateverElseWaits() {
        try (SystemScheduler small = new SystemScheduler("small", 1, 4, 2)) {
            small.schedule(Long.MAX_VALUE / 2, () -> {});
            small.schedule(Long.MAX_VALUE / 2, () -> {});
            assertRefused(() -> small.schedule(1, () -> {}), ErrorCode.OVERLOADED);
            AtomicInteger runs = new AtomicInteger();
            try (Chore chore = Chore.every(1, small, () -> {
                runs.incrementAndGet();
                return CompletableFuture.completedFuture(null);
            })) {
                chore.start();
                await().until(() -> runs.get() > 2);
            }
        }
    }
}
