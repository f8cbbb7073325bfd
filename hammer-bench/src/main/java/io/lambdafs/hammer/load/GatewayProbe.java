package io.lambdafs.hammer.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.gateway.GatewayClient;
import io.lambdafs.hammer.replay.ClusterProbe;
import io.lambdafs.hammer.result.Sample;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads instances, cost and where listings came from from the gateway, and cache hits and requests from the client's metrics. Used by one thread at
 * a time.
 */
public final class GatewayProbe implements ClusterProbe {
    private final GatewayClient gateway;
    private final LambdaFs client;
    private final int deployments;
    private final Newcomers newcomers = new Newcomers();
    private final Turnover turnover;

    /** Creates a probe without a record of instances that come and go. */
    public GatewayProbe(GatewayClient gateway, LambdaFs client, int deployments) {
        this(gateway, client, deployments, new Turnover());
    }

    GatewayProbe(GatewayClient gateway, LambdaFs client, int deployments, Turnover turnover) {
        this.gateway = gateway;
        this.client = client;
        this.deployments = deployments;
        this.turnover = turnover;
    }

    @Override
    public Sample sample() {
        JsonNode usage = gateway.usage();
        JsonNode alive = gateway.instances();
        long millis = System.currentTimeMillis();
        newcomers.saw(alive);
        turnover.saw(millis, alive);
        ClientMetrics.Snapshot now = client.metrics().snapshot();
        return new Sample(
                millis,
                instances(usage),
                usage.path("billedMillis").asLong(),
                usage.path("cost").path("payPerUseUsd").asDouble(),
                usage.path("cost").path("provisionedUsd").asDouble(),
                now.tcp() + now.http(),
                now.http(),
                now.cacheHits(),
                now.cacheMisses(),
                usage.path("listings").path("pages").asLong(),
                usage.path("listings").path("read").asLong());
    }

    /** Returns the samples' data on instances that joined others. */
    Newcomers newcomers() {
        return newcomers;
    }

    private List<Integer> instances(JsonNode usage) {
        List<Integer> counts = new ArrayList<>();
        for (int i = 0; i < deployments; i++) {
            counts.add(usage.path("deployments")
                    .path(LocalCluster.ACTION_PREFIX + i)
                    .path("instances")
                    .asInt());
        }
        return counts;
    }
}
