package io.lambdafs.hammer;

/** Asks a cluster for its instances, hit rate and cost. Called about once a second, by one thread at a time. */
@FunctionalInterface
public interface ClusterProbe {
    /**
     * The state now. May block for a while: only samples come late then, the load does not wait.
     *
     * @throws RuntimeException if the cluster cannot be asked; the replay keeps the sample before
     */
    Sample sample();

    /** Of a file system that has nothing to tell. */
    static ClusterProbe none() {
        return () -> Sample.none(System.currentTimeMillis());
    }
}
