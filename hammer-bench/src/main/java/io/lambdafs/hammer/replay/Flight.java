package io.lambdafs.hammer.replay;

import io.lambdafs.hammer.plan.Intent;
import org.jspecify.annotations.Nullable;

/**
 * An operation in flight. The thread that completes it writes its end; the replay's thread reads it, after receiving it
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
