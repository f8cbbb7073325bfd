package io.lambdafs.coordinator.session;

import io.lambdafs.model.Scheduler;
import java.time.Duration;

/**
 * Computes the delay before the next join: doubling from {@link #FIRST} to {@link #LONGEST}, randomised between half
 * and all of it, so that instances that lost their leases together do not return together. Not thread-safe.
 */
final class Backoff {
    static final Duration FIRST = Duration.ofMillis(50);
    static final Duration LONGEST = Duration.ofSeconds(2);

    private final Scheduler scheduler;
    private long nextNanos = FIRST.toNanos();

    Backoff(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    long nextNanos() {
        long wait = nextNanos / 2 + scheduler.random().nextLong(nextNanos / 2 + 1);
        nextNanos = Math.min(2 * nextNanos, LONGEST.toNanos());
        return wait;
    }

    void reset() {
        nextNanos = FIRST.toNanos();
    }
}
