package io.lambdafs.coordinator.session;

import io.lambdafs.model.time.Scheduler;
import java.time.Duration;

/**
 * Computes the delay before the next join: doubling from {@link #FIRST} to {@link #LONGEST}, randomised between half
 * and all of it, so that instances that lost their leases together do not return together; and how long the join waits
 * for acknowledgements, which doubles too: on a machine where all are slow, who fences whoever is slow is fenced in turn
 * (PROTOCOL: E1). Not thread-safe.
 */
final class Backoff {
    static final Duration FIRST = Duration.ofMillis(50);
    static final Duration LONGEST = Duration.ofSeconds(2);

    /** How often the wait for acknowledgements doubles. */
    static final int MOST_DOUBLINGS = 3;

    private final Scheduler scheduler;
    private int delays;
    private long nextNanos = FIRST.toNanos();

    Backoff(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    long nextNanos() {
        long wait = nextNanos / 2 + scheduler.random().nextLong(nextNanos / 2 + 1);
        delays++;
        nextNanos = Math.min(2 * nextNanos, LONGEST.toNanos());
        return wait;
    }

    /** Returns how long a join waits now for acknowledgements, given the ACK wait of a write. */
    long ackWaitNanos(Duration ackWait) {
        return ackWait.toNanos() << Math.min(delays, MOST_DOUBLINGS);
    }

    void reset() {
        delays = 0;
        nextNanos = FIRST.toNanos();
    }
}
