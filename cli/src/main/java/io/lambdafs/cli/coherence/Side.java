package io.lambdafs.cli.coherence;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cli.cluster.LocalCluster;
import java.util.Locale;

/** With coherence, or without anything that would need it. */
enum Side {
    COHERENT(40 << 20),
    OFF(0);

    private static final long KEEP_ALIVE_MILLIS = 3_600_000;
    private static final int MAX_IN_FLIGHT = 4_096;

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
    LocalCluster.Wishes wishes(int instances) {
        ObjectNode keys = JsonNodeFactory.instance.objectNode().put("deployments", 1);
        keys.putObject("pool")
                .put("maxInstances", instances)
                .put("prewarm", 0)
                .put("keepAliveMillis", KEEP_ALIVE_MILLIS);
        keys.putObject("instance")
                .put("cpuShare", 0)
                .put("concurrency", 1)
                .put("maxInFlight", MAX_IN_FLIGHT)
                .put("cacheBytes", cacheBytes);
        keys.putObject("store").put("heapMb", 128);
        return new LocalCluster.Wishes(null, keys);
    }
}
