package io.lambdafs.model;

import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * Time, execution and randomness, passed in: everything that must also run under a simulated clock takes these from here and
 * from nowhere else. Thread-safe.
 */
public interface Scheduler extends Executor {
    /** Monotonic nanoseconds. */
    long nanoTime();

    /** Wall-clock milliseconds since 1970. */
    long currentTimeMillis();

    /** Runs a task after a delay, once. */
    Timer schedule(long delayNanos, Runnable task);

    /** A source of randomness for ids, jitter and choices; safe for concurrent use. */
    RandomGenerator random();

    /** A scheduled task. */
    interface Timer {
        /** Keeps the task from running if it has not begun. */
        void cancel();
    }
}
