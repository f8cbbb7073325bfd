package io.lambdafs.benchmarks.micro.driver;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The measured time, on {@link System#nanoTime}'s clock: calls that end within it count. Thread-safe. */
final class Span {
    private static final Duration LONGEST = Duration.ofHours(1);

    private final long beginNanos;
    private final AtomicLong endNanos;
    private final boolean untilFailure;

    /** @param warmUp uncounted time before it */
    Span(long nowNanos, Duration warmUp, Duration length) {
        this(nowNanos, warmUp, length, false);
    }

    private Span(long nowNanos, Duration warmUp, Duration length, boolean untilFailure) {
        this.untilFailure = untilFailure;
        beginNanos = nowNanos + warmUp.toNanos();
        endNanos = new AtomicLong(beginNanos + length.toNanos());
    }

    /** Returns a span long enough for any preparation, which a failure ends. */
    static Span untilFailure(long nowNanos) {
        return new Span(nowNanos, Duration.ZERO, LONGEST, true);
    }

    boolean isUntilFailure() {
        return untilFailure;
    }

    long beginNanos() {
        return beginNanos;
    }

    long endNanos() {
        return endNanos.get();
    }

    boolean counts(long nanos) {
        return nanos - beginNanos >= 0 && nanos - endNanos.get() < 0;
    }

    boolean isOver(long nanos) {
        return nanos - endNanos.get() >= 0;
    }

    /** Ends the span now, as there is nothing left to do. */
    void cut(long nowNanos) {
        endNanos.accumulateAndGet(nowNanos, (end, now) -> now - end < 0 ? now : end);
    }

    double seconds() {
        return (endNanos.get() - beginNanos) / 1e9;
    }
}
