package io.lambdafs.hammer.result;

import java.util.List;

/**
 * The state that a cluster reports at one moment. Sums count from the cluster's start; a replay computes differences.
 * Immutable.
 *
 * @param millis time of the sample, milliseconds since 1970
 * @param instancesByDeployment live instances of each deployment; empty if there are none to count
 * @param billedMillis pay-per-use: milliseconds in which instances served a request, summed over instances
 * @param costUsd pay-per-use cost of those and of the invocations
 * @param provisionedUsd cost of the same instances if billed for their lifetimes (the paper's simplified model)
 * @param requests by whichever way
 * @param byHttp those of them that came by HTTP
 * @param cacheHits requests answered from a cache
 * @param cacheMisses requests that required reading the store
 */
public record Sample(
        long millis,
        List<Integer> instancesByDeployment,
        long billedMillis,
        double costUsd,
        double provisionedUsd,
        long requests,
        long byHttp,
        long cacheHits,
        long cacheMisses) {
    public Sample {
        instancesByDeployment = List.copyOf(instancesByDeployment);
    }

    /** Returns the sample of a system without instances, cost or cache to report. */
    public static Sample none(long millis) {
        return new Sample(millis, List.of(), 0, 0, 0, 0, 0, 0, 0);
    }

    /** Returns the number of live instances of all deployments. */
    public int instances() {
        int sum = 0;
        for (int count : instancesByDeployment) {
            sum += count;
        }
        return sum;
    }
}
