package io.lambdafs.hammer;

import java.util.List;

/**
 * What a cluster said of itself at one moment. Sums count from the cluster's start; a replay takes differences. Immutable.
 *
 * @param millis when, milliseconds since 1970
 * @param instancesByDeployment live instances of each deployment; empty where there are none to count
 * @param billedMillis pay-per-use: milliseconds in which instances served a request, summed over instances
 * @param costUsd pay-per-use cost of those and of the invocations
 * @param provisionedUsd what the same instances would have cost while they existed (the paper's simplified model)
 * @param httpShare share of requests that came by HTTP, 0–1
 * @param cacheHits requests answered from a cache
 * @param cacheMisses requests that needed the store to be read
 */
public record Sample(
        long millis,
        List<Integer> instancesByDeployment,
        long billedMillis,
        double costUsd,
        double provisionedUsd,
        double httpShare,
        long cacheHits,
        long cacheMisses) {
    public Sample {
        instancesByDeployment = List.copyOf(instancesByDeployment);
    }

    /** A system without instances, cost or cache to report. */
    public static Sample none(long millis) {
        return new Sample(millis, List.of(), 0, 0, 0, 0, 0, 0);
    }

    /** Live instances altogether. */
    public int instances() {
        int sum = 0;
        for (int count : instancesByDeployment) {
            sum += count;
        }
        return sum;
    }
}
