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
 * @param pages pages of directories that instances answered; 0 if the platform does not tell
 * @param pagesRead those of them for which the directory was read from the store
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
        long cacheMisses,
        long pages,
        long pagesRead) {
    public Sample {
        instancesByDeployment = List.copyOf(instancesByDeployment);
    }

    /** Creates the sample of a platform that does not tell where listings came from. */
    public Sample(
            long millis,
            List<Integer> instancesByDeployment,
            long billedMillis,
            double costUsd,
            double provisionedUsd,
            long requests,
            long byHttp,
            long cacheHits,
            long cacheMisses) {
        this(
                millis,
                instancesByDeployment,
                billedMillis,
                costUsd,
                provisionedUsd,
                requests,
                byHttp,
                cacheHits,
                cacheMisses,
                0,
                0);
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

    /** Returns whether a deployment has more live instances than it had in another sample. */
    boolean hasGrownSince(Sample before) {
        for (int i = 0; i < instancesByDeployment.size(); i++) {
            int earlier = i < before.instancesByDeployment.size() ? before.instancesByDeployment.get(i) : 0;
            if (instancesByDeployment.get(i) > earlier) {
                return true;
            }
        }
        return false;
    }
}
