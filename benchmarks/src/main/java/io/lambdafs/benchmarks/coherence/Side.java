package io.lambdafs.benchmarks.coherence;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import java.util.Locale;

/** A side of the comparison: caches kept coherent, or no caches. */
enum Side {
    COHERENT(40 << 20),
    OFF(0);

    private final long cacheBytes;

    Side(long cacheBytes) {
        this.cacheBytes = cacheBytes;
    }

    boolean caches() {
        return cacheBytes > 0;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Options of one deployment with permanent instances and unlimited CPU. Each instance takes one HTTP call at a
     * time, so few calls start all.
     */
    LocalCluster.StartOptions startOptions(int instances) {
        ObjectNode keys = TemporaryCluster.unlimited().put("deployments", 1);
        keys.withObject("/pool").put("maxInstances", instances);
        keys.withObject("/instance").put("concurrency", 1).put("cacheBytes", cacheBytes);
        keys.putObject("store").put("heapMb", 128);
        return new LocalCluster.StartOptions(null, keys);
    }
}
