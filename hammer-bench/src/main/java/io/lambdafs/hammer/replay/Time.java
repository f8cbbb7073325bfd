package io.lambdafs.hammer.replay;

import io.lambdafs.model.FsException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
        public boolean await(CompletableFuture<?> end, long untilNanos) throws InterruptedException {
            try {
                end.get(Math.max(0, untilNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
                return true;
            } catch (TimeoutException e) {
                return false;
            } catch (ExecutionException e) {
                throw FsException.of(e);
            }
        }
    };

    /** Returns nanoseconds since some moment. */
    long nanos();

    /** Waits for at most this time. */
    void pause(long nanos);

    /** Runs a task after this time, on another thread. */
    void after(long nanos, Runnable task);

    /**
     * Waits for completion, until some moment at most.
     *
     * @return whether it has come
     */
    boolean await(CompletableFuture<?> end, long untilNanos) throws InterruptedException;
}
