package io.lambdafs.store;

import io.lambdafs.model.time.Scheduler;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Real time, to which a test may add, on two daemon threads. Thread-safe. */
public final class ThreadScheduler implements Scheduler, AutoCloseable {
    private final ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(2, task -> {
        Thread thread = new Thread(task, "test-scheduler");
        thread.setDaemon(true);
        return thread;
    });

    private volatile long added;

    public ThreadScheduler() {
        pool.setRemoveOnCancelPolicy(true);
    }

    /** Has the monotonic clock stand that much further on than it is; timers do not see it. */
    public void setAhead(Duration by) {
        added = by.toNanos();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime() + added;
    }

    @Override
    public long currentTimeMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        ScheduledFuture<?> future = pool.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    @Override
    public RandomGenerator random() {
        return ThreadLocalRandom.current();
    }

    @Override
    public void execute(Runnable command) {
        pool.execute(command);
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }
}
