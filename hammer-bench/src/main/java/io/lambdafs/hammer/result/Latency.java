package io.lambdafs.hammer.result;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Latency from the intended start, microseconds, so that waiting counts (no coordinated omission). Immutable.
 *
 * @param curve values at percentiles, up to the resolution that the count allows
 */
public record Latency(long count, double mean, long p50, long p90, long p99, long p999, long max, List<Point> curve) {
    /** The latency of no operations. */
    public static final Latency NONE = new Latency(0, 0, 0, 0, 0, 0, 0, List.of());

    private static final int POINTS_PER_DECADE = 12;

    public Latency {
        curve = List.copyOf(curve);
    }

    /** @param percentile 0–100 */
    public record Point(double percentile, long micros) {}

    /** Summarises a histogram of microseconds. */
    public static Latency of(Histogram histogram) {
        return of(histogram, 1);
    }

    /** Summarises a histogram of nanoseconds. */
    public static Latency ofNanos(Histogram histogram) {
        return of(histogram, 1_000);
    }

    private static Latency of(Histogram histogram, long unit) {
        long count = histogram.getTotalCount();
        if (count == 0) {
            return NONE;
        }
        return new Latency(
                count,
                histogram.getMean() / unit,
                histogram.getValueAtPercentile(50) / unit,
                histogram.getValueAtPercentile(90) / unit,
                histogram.getValueAtPercentile(99) / unit,
                histogram.getValueAtPercentile(99.9) / unit,
                histogram.getMaxValue() / unit,
                curve(histogram, count, unit));
    }

    /** Returns values at percentiles evenly spaced in the logarithm of the remaining share: 0, 90, 99, 99.9, … */
    private static List<Point> curve(Histogram histogram, long count, long unit) {
        List<Point> points = new ArrayList<>();
        int last = (int) Math.ceil(Math.log10((double) count) * POINTS_PER_DECADE);
        for (int i = 0; i <= last; i++) {
            double percentile = 100 * (1 - Math.pow(10, -(double) i / POINTS_PER_DECADE));
            points.add(new Point(percentile, histogram.getValueAtPercentile(percentile) / unit));
        }
        return points;
    }
}
