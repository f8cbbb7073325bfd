package io.lambdafs.hammer;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The clock of a load. Thread-safe. */
public interface Time {
    /** This machine's clock. */
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

    /** Returns nanoseconds since some moment. */
    long nanos();

    /** Waits for at most this time. */
    void pause(long nanos);

    /** Runs a task after this time, on another thread. */
    void after(long nanos, Runnable task);

    /** Waits for completion; throws as {@link CompletableFuture#join} does. */
    void await(CompletableFuture<?> end);
}
