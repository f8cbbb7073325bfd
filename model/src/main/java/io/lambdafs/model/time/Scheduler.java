package io.lambdafs.model.time;

import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * Time, execution and randomness as an injected dependency: code that must also run under a simulated clock uses no
 * other source. Thread-safe.
 */
public interface Scheduler extends Executor {
    /** Monotonic nanoseconds. */
    long nanoTime();

    /** Wall-clock milliseconds since 1970. */
    long currentTimeMillis();

    /**
     * Runs a task after a delay, once. A limit on waiting tasks, if there is one, does not apply to {@link Essential}
     * tasks.
     */
    Timer schedule(long delayNanos, Runnable task);

    /** A source of randomness for ids, jitter and choices; safe for concurrent use. */
    RandomGenerator random();

    /**
     * A task that nobody would resubmit if it were rejected, such as the next run of a chore. There are few of them.
     */
    @FunctionalInterface
    interface Essential extends Runnable {}

    /** A scheduled task. */
    interface Timer {
        /** Cancels the task if it has not started. */
        void cancel();
    }
}
