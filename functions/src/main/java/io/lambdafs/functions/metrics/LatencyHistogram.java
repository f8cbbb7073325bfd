package io.lambdafs.functions.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * A latency histogram with bucket bounds doubling from 4 µs to 34 s and an overflow bucket. Thread-safe and lock-free.
 */
final class LatencyHistogram {
    private static final int BUCKETS = 24;
    private static final long FIRST_BOUND_NANOS = 4_000;

    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS + 1);
    private final LongAdder sumNanos = new LongAdder();

    void record(long nanos) {
        long steps = Math.max(0, nanos - 1) / FIRST_BOUND_NANOS;
        int bucket = Math.min(BUCKETS, Long.SIZE - Long.numberOfLeadingZeros(steps));
        counts.incrementAndGet(bucket);
        sumNanos.add(Math.max(0, nanos));
    }

    long count() {
        long sum = 0;
        for (int i = 0; i <= BUCKETS; i++) {
            sum += counts.get(i);
        }
        return sum;
    }

    HistogramDataPointSnapshot snapshot(Labels labels) {
        double[] bounds = new double[BUCKETS + 1];
        Number[] values = new Number[BUCKETS + 1];
        for (int i = 0; i <= BUCKETS; i++) {
            bounds[i] = i == BUCKETS ? Double.POSITIVE_INFINITY : FIRST_BOUND_NANOS * (double) (1L << i) / 1e9;
            values[i] = counts.get(i);
        }
        return HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, values))
                .sum(sumNanos.sum() / 1e9)
                .labels(labels)
                .build();
    }
}
