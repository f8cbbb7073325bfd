package io.lambdafs.platform.local.pool;

import java.util.Map;

/**
 * The work of the pool and its billed time. Immutable.
 *
 * @param memoryUsedMb memory charged for running processes, prewarmed ones included
 * @param deployments shares by action, removed ones included
 */
public record UsageView(int memoryUsedMb, int memoryPoolMb, int prewarmed, Map<String, Deployment> deployments) {
    /**
     * The share of one action.
     *
     * @param instances current instances, without stopping ones
     * @param peakInstances most instances at once
     * @param queued calls waiting now
     * @param activations calls taken by instances
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

        /** Returns the sum of two shares; its peak is the sum of the peaks. */
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

    /** Returns the sum of all deployments. */
    public Deployment total() {
        return deployments.values().stream().reduce(Deployment.NONE, Deployment::plus);
    }
}
