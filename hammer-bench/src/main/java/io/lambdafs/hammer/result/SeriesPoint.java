package io.lambdafs.hammer.result;

import java.util.List;

/**
 * One interval, about a second, of a run. Immutable.
 *
 * @param seconds end of the interval, from the start of the run
 * @param offeredPerSecond operations scheduled
 * @param opsPerSecond operations done
 * @param p50Micros median latency of operations done, or given up at the end of the run; 0 if none
 * @param p99Micros their 99th percentile
 * @param hitRate share of cache hits in the interval, 0–1
 * @param payPerUseUsd since the start of the run
 * @param simplifiedUsd since the start of the run
 * @param waiting operations in flight or late
 */
public record SeriesPoint(
        double seconds,
        double offeredPerSecond,
        double opsPerSecond,
        long p50Micros,
        long p99Micros,
        List<Integer> instancesByDeployment,
        double hitRate,
        double payPerUseUsd,
        double simplifiedUsd,
        long waiting) {
    public SeriesPoint {
        instancesByDeployment = List.copyOf(instancesByDeployment);
    }
}
