package io.lambdafs.hammer.tail;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.cluster.LocalCluster;
import java.util.Locale;

/** The measure to switch off and on, and the cluster that it needs. */
enum Measure {
    /**
     * One deployment of two instances, which stay, take one HTTP call at a time and few operations at once, so that the
     * second one starts under a burst; CPU is not limited. Reads only: a write waits for the acknowledgement of the
     * stopped instance, whichever instance leads it.
     */
    STRAGGLERS(0) {
        @Override
        ObjectNode keys() {
            ObjectNode keys = JsonNodeFactory.instance.objectNode().put("deployments", 1);
            keys.putObject("pool").put("maxInstances", 2).put("prewarm", 0).put("keepAliveMillis", KEEP_ALIVE_MILLIS);
            keys.putObject("instance").put("cpuShare", 0).put("concurrency", 1).put("maxInFlight", 8);
            return keys;
        }

        @Override
        ClientConfigBuilder configure(ClientConfigBuilder builder, boolean on) {
            return builder.stragglersEnabled(on);
        }
    },

    /** Four deployments, and memory for two instances. */
    THRASHING(0.05) {
        @Override
        ObjectNode keys() {
            ObjectNode keys = JsonNodeFactory.instance.objectNode().put("deployments", 4);
            keys.putObject("pool").put("memoryMb", 2 * MEMORY_MB).put("prewarm", 0);
            keys.putObject("instance").put("memoryMb", MEMORY_MB).put("cpuShare", 0);
            return keys;
        }

        @Override
        ClientConfigBuilder configure(ClientConfigBuilder builder, boolean on) {
            return builder.antiThrashingEnabled(on);
        }
    };

    private static final int MEMORY_MB = 256;
    private static final long KEEP_ALIVE_MILLIS = 3_600_000;

    private final double writes;

    Measure(double writes) {
        this.writes = writes;
    }

    /** Returns the share of operations that write, 0–1. */
    double writes() {
        return writes;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    abstract ObjectNode keys();

    abstract ClientConfigBuilder configure(ClientConfigBuilder builder, boolean on);

    LocalCluster.StartOptions startOptions() {
        ObjectNode keys = keys();
        keys.putObject("store").put("heapMb", 128);
        return new LocalCluster.StartOptions(null, keys);
    }
}
