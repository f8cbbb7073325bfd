package io.lambdafs.functions.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatencyHistogramTest {
    private final LatencyHistogram histogram = new LatencyHistogram();

    private HistogramDataPointSnapshot snapshot() {
        return histogram.snapshot(Labels.of("a", "b"));
    }

    @ParameterizedTest
    @CsvSource({
        "-5, 0.000004",
        "0, 0.000004",
        "4000, 0.000004",
        "4001, 0.000008",
        "8000, 0.000008",
        "8001, 0.000016",
        "16000, 0.000016",
        "16001, 0.000032",
        "33554432000, 33.554432",
        "33554432001, Infinity",
        "99999999999999, Infinity"
    })
    void shouldCountADurationInTheFirstBucketThatReachesIt(long nanos, double bound) {
        histogram.record(nanos);
        assertThat(histogram.count()).isEqualTo(1);
        ClassicHistogramBuckets buckets = snapshot().getClassicBuckets();
        assertThat(buckets.size()).isEqualTo(25);
        for (int i = 0; i < buckets.size(); i++) {
            boolean isIts = buckets.getUpperBound(i) == bound || Math.abs(buckets.getUpperBound(i) - bound) < 1e-12;
            assertThat(buckets.getCount(i))
                    .as("up to %s", buckets.getUpperBound(i))
                    .isEqualTo(isIts ? 1 : 0);
        }
    }

    @Test
    void shouldAddUp() {
        histogram.record(TimeUnit.MILLISECONDS.toNanos(1_500));
        histogram.record(TimeUnit.MILLISECONDS.toNanos(500));
        histogram.record(-7);
        assertThat(histogram.count()).isEqualTo(3);
        assertThat(snapshot().getSum()).isEqualTo(2.0);
        assertThat(snapshot().getCount()).isEqualTo(3);
        assertThat(snapshot().getLabels().get("a")).isEqualTo("b");
    }
}
