package io.lambdafs.benchmarks.micro.driver;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Makes the measuring thread wait for the lanes. Stateless. */
final class Waits {
    private static final long LAST_CALLS_SECONDS = 120;

    private Waits() {}

    /** Notifies of the span's start and end as they come and returns after the last call. */
    static void through(Span span, CountDownLatch running, Api.Bounds bounds) throws InterruptedException {
        await(running, span.beginNanos());
        bounds.begin();
        await(running, span.endNanos());
        bounds.end();
        if (!running.await(LAST_CALLS_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("calls are still under way after " + LAST_CALLS_SECONDS + " s");
        }
    }

    private static void await(CountDownLatch running, long untilNanos) throws InterruptedException {
        // The latch opens early if there is nothing left to do.
        boolean unused = running.await(untilNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }
}
