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

    /** Runs a task after a delay, once. Where there is a limit of tasks that may wait, it does not hold for {@link Essential} ones. */
    Timer schedule(long delayNanos, Runnable task);

    /** A source of randomness for ids, jitter and choices; safe for concurrent use. */
    RandomGenerator random();

    /** A task that nobody asks for again if it is refused, such as the next turn of a chore. There are few of them. */
    @FunctionalInterface
    interface Essential extends Runnable {}

    /** A scheduled task. */
    interface Timer {
        /** Keeps the task from running if it has not begun. */
        void cancel();
    }
}
