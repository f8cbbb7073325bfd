package io.lambdafs.hammer.loop;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The measured time, on the loop's clock. Thread-safe. */
public final class Span {
    private static final Duration LONGEST = Duration.ofDays(1);

    private enum Kind {
        /** Calls count that end within it; it ends early when nothing is left to do. */
        TIMED,
        /** All calls count that begin within it; it ends with the last one. */
        DRAINED,
        /** As drained, but the first failure ends it. */
        UNTIL_FAILURE
    }

    private final Kind kind;
    private final long beginNanos;
    private final AtomicLong endNanos;

    private Span(Kind kind, long beginNanos, Duration length) {
        this.kind = kind;
        this.beginNanos = beginNanos;
        this.endNanos = new AtomicLong(beginNanos + length.toNanos());
    }

    /**
     * Returns a span in which calls count that end within it.
     *
     * @param warmUp uncounted time before it
     */
    public static Span timed(long nowNanos, Duration warmUp, Duration length) {
        return new Span(Kind.TIMED, nowNanos + warmUp.toNanos(), length);
    }

    /** Returns a span that ends with the last answer; no call begins after its length. */
    public static Span drained(long nowNanos, Duration length) {
        return new Span(Kind.DRAINED, nowNanos, length);
    }

    /** Returns a span that ends with the last answer, for any number of calls. */
    public static Span drained(long nowNanos) {
        return drained(nowNanos, LONGEST);
    }

    /** Returns a span long enough for any preparation; no call begins after a failure. */
    public static Span untilFailure(long nowNanos) {
        return new Span(Kind.UNTIL_FAILURE, nowNanos, LONGEST);
    }

    long beginNanos() {
        return beginNanos;
    }

    long endNanos() {
        return endNanos.get();
    }

    boolean counts(long nanos) {
        return kind != Kind.TIMED || (nanos - beginNanos >= 0 && nanos - endNanos.get() < 0);
    }

    /** Returns whether no further call begins. */
    boolean isOver(long nanos) {
        return nanos - endNanos.get() >= 0;
    }

    /** Notes that a lane has nothing left to do. */
    void ranOut(long nowNanos) {
        if (kind == Kind.TIMED) {
            cut(nowNanos);
        }
    }

    /** Notes a failure. */
    void failed(long nowNanos) {
        if (kind == Kind.UNTIL_FAILURE) {
            cut(nowNanos);
        }
    }

    /** Notes that the last call has ended. */
    void ended(long nowNanos) {
        if (kind != Kind.TIMED) {
            endNanos.set(nowNanos);
        }
    }

    private void cut(long nowNanos) {
        endNanos.accumulateAndGet(nowNanos, (end, now) -> now - end < 0 ? now : end);
    }

    double seconds() {
        return (endNanos.get() - beginNanos) / 1e9;
    }
}
