package io.lambdafs.benchmarks.micro.driver;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The record of one thread or one place of a window. Used by one thread at a time, with safe hand-over. */
final class Lane {
    private static final long LEAST_NANOS = 100;
    private static final long MOST_NANOS = 120_000_000_000L;
    private static final int DIGITS = 3;

    private final Span span;
    private final Histogram nanos = histogram();
    private long failed;
    private @Nullable String failure;

    Lane(Span span) {
        this.span = span;
    }

    /** Returns a histogram for times of 100 ns to 2 minutes, with 3 digits. */
    static Histogram histogram() {
        return new Histogram(LEAST_NANOS, MOST_NANOS, DIGITS);
    }

    /** Notes an ended call. A failure counts whenever it happens, in the warm-up too. */
    void note(long begunNanos, long endedNanos, @Nullable Throwable thrown) {
        if (thrown != null) {
            failed++;
            failure = failure == null ? thrown.toString() : failure;
            if (span.isUntilFailure()) {
                span.cut(endedNanos);
            }
        } else if (span.counts(endedNanos)) {
            nanos.recordValue(Math.min(MOST_NANOS, endedNanos - begunNanos));
        }
    }

    Histogram nanos() {
        return nanos;
    }

    long failed() {
        return failed;
    }

    @Nullable
    String failure() {
        return failure;
    }
}
