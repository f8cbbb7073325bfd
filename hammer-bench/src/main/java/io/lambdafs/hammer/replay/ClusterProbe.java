package io.lambdafs.hammer.replay;

import io.lambdafs.hammer.result.Sample;

/** Reads the instances, hit rate and cost of a cluster. Called about once a second, by one thread at a time. */
@FunctionalInterface
public interface ClusterProbe {
    /**
     * Samples the current state. May block for a while: this delays only the samples, not the load.
     *
     * @throws RuntimeException if the cluster does not answer; the replay keeps the previous sample
     */
    Sample sample();

    /** Returns a probe for a file system that has nothing to report. */
    static ClusterProbe none() {
        return () -> Sample.none(System.currentTimeMillis());
    }
}
