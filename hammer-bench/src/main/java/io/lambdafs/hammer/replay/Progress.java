package io.lambdafs.hammer.replay;

import io.lambdafs.hammer.result.SeriesPoint;
import io.lambdafs.hammer.workload.Texts;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The progress of a running replay, shown once a second. Immutable.
 *
 * @param elapsedSeconds since the start
 * @param totalSeconds length of the load
 * @param opsPerSecond operations done, over the last interval
 * @param offeredPerSecond operations scheduled, over the last interval
 * @param p99Micros 99th percentile of latency so far
 * @param cacheHitRate 0–1, over the last interval
 * @param payPerUseUsd cost so far
 * @param waiting operations in flight or late
 * @param failed so far
 */
public record Progress(
        double elapsedSeconds,
        double totalSeconds,
        double opsPerSecond,
        double offeredPerSecond,
        long p99Micros,
        List<Integer> instancesByDeployment,
        double cacheHitRate,
        double payPerUseUsd,
        long waiting,
        long failed) {
    public Progress {
        instancesByDeployment = List.copyOf(instancesByDeployment);
    }

    /**
     * Returns the progress at the end of an interval.
     *
     * @param totalSeconds length of the load
     * @param p99Micros 99th percentile of latency so far
     * @param failed so far
     */
    public static Progress at(SeriesPoint point, double totalSeconds, long p99Micros, long failed) {
        return new Progress(
                point.seconds(),
                totalSeconds,
                point.opsPerSecond(),
                point.offeredPerSecond(),
                p99Micros,
                point.instancesByDeployment(),
                point.hitRate(),
                point.payPerUseUsd(),
                point.waiting(),
                failed);
    }

    /** Returns one line for a terminal. */
    public String line() {
        String instances = instancesByDeployment.stream().map(String::valueOf).collect(Collectors.joining(" "));
        return String.format(
                Locale.ROOT,
                "%3.0f/%.0f s  %,7.0f ops/s of %,7.0f  p99 %s  instances %s  hits %.1f %%  $%.5f  waiting %,d  failed %,d",
                elapsedSeconds,
                totalSeconds,
                opsPerSecond,
                offeredPerSecond,
                Texts.micros(p99Micros),
                instances.isEmpty() ? "-" : "[" + instances + "]",
                cacheHitRate * 100,
                payPerUseUsd,
                waiting,
                failed);
    }
}
