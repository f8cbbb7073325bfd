package io.lambdafs.coordinator.store;

import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Times;

/**
 * Computes the interval between polls for letters or answers: an eighth of the time since the last was found, so that
 * polling adds little to a caller's wait; at least {@link #FASTEST_NANOS}, at most a sixteenth of the ACK wait.
 * Confined to one loop.
 */
final class Pace {
    static final long FASTEST_NANOS = 2_000_000;

    private final Scheduler scheduler;
    private final long slowestNanos;
    private long foundAt;

    Pace(Scheduler scheduler, Times times) {
        this.scheduler = scheduler;
        this.slowestNanos = Math.max(FASTEST_NANOS, times.ackWait().toNanos() / 16);
        this.foundAt = scheduler.nanoTime();
    }

    long nextNanos(boolean found) {
        long now = scheduler.nanoTime();
        if (found) {
            foundAt = now;
        }
        return Math.max(FASTEST_NANOS, Math.min((now - foundAt) / 8, slowestNanos));
    }
}
