package io.lambdafs.hammer.loop;

import io.lambdafs.hammer.result.Latency;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The result of a loop. Its owner owns the histogram.
 *
 * @param nanos times of the calls that count and succeeded, from their start, or from their set time if they were late
 * @param failed calls that failed at any time, in the warm-up too
 * @param failures descriptions of the first of them
 * @param seconds length of the span
 */
public record LoopResult(Histogram nanos, long failed, List<String> failures, double seconds) {
    public LoopResult {
        failures = List.copyOf(failures);
    }

    /** Returns the throughput of calls that succeeded. */
    public double opsPerSecond() {
        return nanos.getTotalCount() / Math.max(1e-9, seconds);
    }

    public Latency latency() {
        return Latency.ofNanos(nanos);
    }
}
