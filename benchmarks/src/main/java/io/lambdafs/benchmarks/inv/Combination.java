package io.lambdafs.benchmarks.inv;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.LocalCluster;

/** A coordinator and a channel for invalidations. */
enum Combination {
    ZOOKEEPER_DIRECT("zookeeper", "direct"),
    ZOOKEEPER_RELAYED("zookeeper", "relayed"),
    STORE_DIRECT("store", "direct"),
    STORE_RELAYED("store", "relayed");

    private static final long KEEP_ALIVE_MILLIS = 3_600_000;

    private final String coordinator;
    private final String inv;

    Combination(String coordinator, String inv) {
        this.coordinator = coordinator;
        this.inv = inv;
    }

    String coordinator() {
        return coordinator;
    }

    String inv() {
        return inv;
    }

    /** Options of a cluster of two deployments, each with one permanent instance with unlimited CPU. */
    LocalCluster.StartOptions startOptions() {
        ObjectNode keys = JsonNodeFactory.instance.objectNode();
        keys.put("deployments", InvBench.DEPLOYMENTS)
                .put("coordinator", coordinator)
                .put("inv", inv);
        keys.putObject("pool").put("maxInstances", 1).put("prewarm", 0).put("keepAliveMillis", KEEP_ALIVE_MILLIS);
        keys.putObject("instance").put("cpuShare", 0);
        keys.putObject("store").put("heapMb", 128);
        return new LocalCluster.StartOptions(null, keys);
    }
}
