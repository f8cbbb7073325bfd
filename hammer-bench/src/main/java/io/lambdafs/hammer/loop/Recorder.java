package io.lambdafs.hammer.loop;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * Counts and times the calls of all lanes: those that succeed by their time, those that fail by their number.
 * Thread-safe.
 */
final class Recorder {
    private static final long LEAST_NANOS = 100;
    private static final long MOST_NANOS = 600_000_000_000L;
    private static final int DIGITS = 3;
    private static final int MOST_HISTOGRAMS = 32;
    /** Number of failures that are described. */
    private static final int DESCRIBED = 10;

    private final Span span;
    /** Each for some lanes, so that they rarely meet. */
    private final Histogram[] nanos;

    private final List<String> failures = new ArrayList<>();
    private long failed;

    Recorder(Span span, int lanes) {
        this.span = span;
        this.nanos = new Histogram[Math.min(lanes, MOST_HISTOGRAMS)];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = histogram();
        }
    }

    /** Returns a histogram for times of 100 ns to 10 minutes. */
    private static Histogram histogram() {
        return new Histogram(LEAST_NANOS, MOST_NANOS, DIGITS);
    }

    void succeeded(int lane, long begunNanos, long endedNanos) {
        if (span.counts(endedNanos)) {
            Histogram own = nanos[lane % nanos.length];
            synchronized (own) {
                own.recordValue(Math.min(MOST_NANOS, Math.max(0, endedNanos - begunNanos)));
            }
        }
    }

    /** Counts a failure whenever it happens, in the warm-up too. */
    void failed(long endedNanos, Supplier<String> what) {
        span.failed(endedNanos);
        synchronized (failures) {
            failed++;
            if (failures.size() < DESCRIBED) {
                failures.add(what.get());
            }
        }
    }

    LoopResult result() {
        Histogram all = histogram();
        for (Histogram each : nanos) {
            synchronized (each) {
                all.add(each);
            }
        }
        synchronized (failures) {
            return new LoopResult(all, failed, failures, span.seconds());
        }
    }
}
