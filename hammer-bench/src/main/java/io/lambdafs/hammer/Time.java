package io.lambdafs.hammer;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The time by which a load is offered. Thread-safe. */
public interface Time {
    /** This machine's. */
    Time REAL = new Time() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void pause(long nanos) {
            LockSupport.parkNanos(nanos);
        }

        @Override
        public void after(long nanos, Runnable task) {
            CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(task);
        }

        @Override
        public void await(CompletableFuture<?> end) {
            end.join();
        }
    };

    /** Nanoseconds since some moment. */
    long nanos();

    /** Waits for so long at most. */
    void pause(long nanos);

    /** Runs a task after so long, on another thread. */
    void after(long nanos, Runnable task);

    /** Waits until it is complete; throws as {@link CompletableFuture#join} does. */
    void await(CompletableFuture<?> end);
}
