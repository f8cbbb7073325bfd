package io.lambdafs.systemtests;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Clusters whose instances run under AWS Lambda's own Java runtime. Stateless. */
public final class LambdaSettings {
    private LambdaSettings() {}

    /** @param runtime {@code lambda}, within invocations, or {@code lambda-held} */
    public static ObjectNode of(String runtime) {
        ObjectNode keys = JsonNodeFactory.instance
                .objectNode()
                .put("coordinator", "store")
                .put("inv", "relayed")
                .put("deployments", 2);
        keys.putObject("instance").put("runtime", runtime).put("concurrency", 1).put("cpuShare", 0);
        keys.putObject("pool").put("maxInstances", 2).put("memoryMb", 1_024).put("keepAliveMillis", 600_000);
        keys.putObject("blocks").put("datanodes", 0);
        return keys;
    }
}
