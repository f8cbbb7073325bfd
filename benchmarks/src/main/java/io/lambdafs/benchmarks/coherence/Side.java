package io.lambdafs.benchmarks.coherence;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import java.util.Locale;

/** With coherence, or without anything that would need it. */
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

    /** One deployment of instances that stay, with CPU that is not rationed. Each takes one call by HTTP at a time: so few start all. */
    LocalCluster.StartOptions startOptions(int instances) {
        ObjectNode keys = TemporaryCluster.unlimited().put("deployments", 1);
        keys.withObject("/pool").put("maxInstances", instances);
        keys.withObject("/instance").put("concurrency", 1).put("cacheBytes", cacheBytes);
        keys.putObject("store").put("heapMb", 128);
        return new LocalCluster.StartOptions(null, keys);
    }
}
