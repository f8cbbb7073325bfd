package io.lambdafs.functions.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ServingThreadsTest {
    private static final long USED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final CountDownLatch over = new CountDownLatch(1);
    private final CountDownLatch worked = new CountDownLatch(1);

    /** A thread that uses some CPU time, and then waits. */
    private Thread working(String name) throws InterruptedException {
        Thread thread = new Thread(
                () -> {
                    long end = ownCpuNanos() + USED_NANOS;
                    while (ownCpuNanos() < end) {
                        Thread.onSpinWait();
                    }
                    worked.countDown();
                    try {
                        over.await();
                    } catch (InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        thread.start();
        worked.await();
        return thread;
    }

    private static long ownCpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    @Test
    void shouldCountTheTimeOfThreadsWithSuchNamesAndKeepThatOfEndedOnes() throws Exception {
        ServingThreads nobody = new ServingThreads(List.of("serving-threads-test-b"));
        ServingThreads threads = new ServingThreads(List.of("other", "serving-threads-test-a"));
        Thread thread = working("serving-threads-test-a-1");
        long used = threads.getAsLong();
        assertThat(used).isGreaterThanOrEqualTo(USED_NANOS);
        assertThat(nobody.getAsLong()).isZero();
        over.countDown();
        thread.join();
        assertThat(threads.getAsLong()).isGreaterThanOrEqualTo(used);
        assertThat(threads.getAsLong()).isEqualTo(threads.getAsLong());
    }

    /** A thread's group is that of whoever has made it, and the one that asks may be in any. */
    @Test
    void shouldCountThreadsOfEveryGroup() throws Exception {
        ServingThreads threads = new ServingThreads(List.of("serving-threads-test-c"));
        Thread thread = working("serving-threads-test-c-1");
        AtomicLong used = new AtomicLong();
        Thread asking = new Thread(new ThreadGroup("another"), () -> used.set(threads.getAsLong()));
        asking.start();
        asking.join();
        assertThat(used.get()).isGreaterThanOrEqualTo(USED_NANOS);
        over.countDown();
        thread.join();
    }

    @Test
    void shouldLookForNewThreadsNowAndThen() throws Exception {
        ServingThreads threads = new ServingThreads(List.of("serving-threads-test-a"));
        assertThat(threads.getAsLong()).isZero();
        Thread thread = working("serving-threads-test-a-2");
        for (int i = 1; i < 100; i++) {
            assertThat(threads.getAsLong()).as("reading %d", i + 1).isZero();
        }
        assertThat(threads.getAsLong()).isGreaterThanOrEqualTo(USED_NANOS);
        over.countDown();
        thread.join();
    }
}
