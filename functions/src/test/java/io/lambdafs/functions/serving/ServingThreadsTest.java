package io.lambdafs.functions.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
