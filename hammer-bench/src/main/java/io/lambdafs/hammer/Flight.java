package io.lambdafs.hammer;

import org.jspecify.annotations.Nullable;

/**
 * An operation on its way. Its end is written by the thread that completes it and read by the replay's thread, which gets it
 * through a concurrent queue.
 */
final class Flight implements Event {
    final Intent<?> intent;
    final long intendedNanos;

    @Nullable
    Object reply;

    @Nullable
    Throwable thrown;

    long endedNanos;

    Flight(Intent<?> intent, long intendedNanos) {
        this.intent = intent;
        this.intendedNanos = intendedNanos;
    }
}
