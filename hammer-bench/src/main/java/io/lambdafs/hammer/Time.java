package io.lambdafs.hammer;

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
    };

    /** Nanoseconds since some moment. */
    long nanos();

    /** Waits for so long at most. */
    void pause(long nanos);
}
