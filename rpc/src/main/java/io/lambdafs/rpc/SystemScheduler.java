package io.lambdafs.rpc;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scheduler on real threads: a fixed pool of daemon threads behind a bounded queue, and one thread that passes timed
 * tasks to the pool when due. Tasks beyond a limit are rejected with {@code OVERLOADED}; a due timed task is not lost
 * to a full queue but offered again. Thread-safe.
 */
public final class SystemScheduler extends MachineScheduler implements AutoCloseable {
    /** Maximum number of waiting timed tasks. */
    public static final int MAX_TIMERS = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(SystemScheduler.class);
    private static final long OFFER_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long CLOSE_WAIT_SECONDS = 5;

    private final int timerLimit;
    private final ThreadPoolExecutor pool;
    private final ScheduledThreadPoolExecutor timers;

    /**
     * Creates a scheduler; no thread starts before the first task.
     *
     * @param threadNamePrefix of all its threads
     * @param threads size of the pool, at least 1
     * @param queueLimit maximum tasks waiting for a thread, at least 1
     */
    public SystemScheduler(String threadNamePrefix, int threads, int queueLimit) {
        this(threadNamePrefix, threads, queueLimit, MAX_TIMERS);
    }

    SystemScheduler(String threadNamePrefix, int threads, int queueLimit, int timerLimit) {
        this.timerLimit = timerLimit;
        pool = new ThreadPoolExecutor(
                threads,
                threads,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(queueLimit),
                named(threadNamePrefix),
                (task, full) -> refuse(full, queueLimit));
        timers = new ScheduledThreadPoolExecutor(1, named(threadNamePrefix + "-timer"));
        timers.setRemoveOnCancelPolicy(true);
    }

    private static ThreadFactory named(String prefix) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((t, e) -> LOG.error("a task of thread {} failed", t.getName(), e));
            return thread;
        };
    }

    private static void refuse(ThreadPoolExecutor pool, int queueLimit) {
        if (pool.isShutdown()) {
            throw new FsException(ErrorCode.NOT_READY, STOPPING);
        }
        throw new FsException(
                ErrorCode.OVERLOADED,
                "all threads are busy and " + queueLimit + " tasks wait: repeat later or elsewhere");
    }

    /**
     * Runs a task on the pool.
     *
     * @throws FsException {@code OVERLOADED}: the queue is full; {@code NOT_READY}: closed
     */
    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    /**
     * Runs a task on the pool after a delay.
     *
     * @throws FsException {@code OVERLOADED}: {@value #MAX_TIMERS} wait already, and it is no
     *     {@link Scheduler.Essential}; {@code NOT_READY}: closed
     */
    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        if (timers.getQueue().size() >= timerLimit && !(task instanceof Essential)) {
            throw new FsException(ErrorCode.OVERLOADED, timerLimit + " timed tasks wait: repeat later or elsewhere");
        }
        TimedTask timed = new TimedTask(task);
        timed.start(delayNanos);
        return timed;
    }

    /** Drops timed tasks, rejects new ones, and waits up to 5 s for running or queued tasks. */
    @Override
    public void close() {
        timers.shutdownNow();
        pool.shutdown();
        try {
            if (!pool.awaitTermination(CLOSE_WAIT_SECONDS, TimeUnit.SECONDS)) {
                pool.shutdownNow();
            }
        } catch (InterruptedException e) {
            pool.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    /** A task waiting for its time. Thread-safe. */
    private final class TimedTask implements Timer, Runnable {
        private final Runnable task;
        private volatile boolean cancelled;
        private volatile @Nullable Future<?> wait;

        TimedTask(Runnable task) {
            this.task = task;
        }

        void start(long delayNanos) {
            try {
                wait = timers.schedule(this::due, delayNanos, TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException e) {
                throw new FsException(ErrorCode.NOT_READY, STOPPING, e);
            }
        }

        private void due() {
            try {
                pool.execute(this);
            } catch (FsException full) {
                if (!pool.isShutdown() && !cancelled) {
                    start(OFFER_AGAIN_NANOS);
                }
            }
        }

        @Override
        public void run() {
            if (!cancelled) {
                task.run();
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
            Future<?> waiting = wait;
            if (waiting != null) {
                waiting.cancel(false);
            }
        }
    }
}
