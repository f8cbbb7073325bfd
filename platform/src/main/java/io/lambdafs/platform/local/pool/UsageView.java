package io.lambdafs.platform.local.pool;

import java.util.Map;

/**
 * What the pool has served and what that is billed. Immutable.
 *
 * @param memoryUsedMb what the processes that run now are charged with, prewarmed ones too
 * @param deployments by action, removed ones too
 */
public record UsageView(int memoryUsedMb, int memoryPoolMb, int prewarmed, Map<String, Deployment> deployments) {
    /**
     * One action's share.
     *
     * @param instances now, without those that are stopping
     * @param peakInstances the most at once
     * @param queued calls that wait now
     * @param activations calls that instances took
     * @param billedMillis time in which instances served requests
     * @param billedMbMillis the same times their memory
     * @param provisionedMillis time in which instances existed
     * @param provisionedMbMillis the same times their memory
     */
    public record Deployment(
            int instances,
            int peakInstances,
            int queued,
            long activations,
            long billedMillis,
            long billedMbMillis,
            long provisionedMillis,
            long provisionedMbMillis) {
        public static final Deployment NONE = new Deployment(0, 0, 0, 0, 0, 0, 0, 0);

        /** The sum of two shares; the peak is that of the sum of peaks. */
        public Deployment plus(Deployment other) {
            return new Deployment(
                    instances + other.instances,
                    peakInstances + other.peakInstances,
                    queued + other.queued,
                    activations + other.activations,
                    billedMillis + other.billedMillis,
                    billedMbMillis + other.billedMbMillis,
                    provisionedMillis + other.provisionedMillis,
                    provisionedMbMillis + other.provisionedMbMillis);
        }
    }

    /** All deployments together. */
    public Deployment total() {
        return deployments.values().stream().reduce(Deployment.NONE, Deployment::plus);
    }
}
