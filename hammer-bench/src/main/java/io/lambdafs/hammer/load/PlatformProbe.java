package io.lambdafs.hammer.load;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.cluster.DistantCluster;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.blocks.OperatedCluster;
import io.lambdafs.cluster.store.DistantStore;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.replay.ClusterProbe;
import io.lambdafs.hammer.result.Sample;
import io.lambdafs.model.FsException;
import io.lambdafs.store.instance.LiveInstance;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Samples a platform that reports neither instances nor cost: the store lists live instances, if it can be reached;
 * cache hits and requests are the client's own figures. Used by one thread at a time.
 */
final class PlatformProbe implements ClusterProbe {
    private final @Nullable OperatedCluster store;
    private final LambdaFs client;
    private List<Integer> last;

    private PlatformProbe(@Nullable OperatedCluster store, LambdaFs client, List<Integer> first) {
        this.store = store;
        this.client = client;
        this.last = first;
    }

    /** Returns a cluster's probe: of λFS's own gateway if it has one, else of its store. */
    static ClusterProbe of(LocalCluster cluster, LambdaFs client, int deployments, Turnover turnover, Console console) {
        return cluster.gateway()
                .management()
                .<ClusterProbe>map(gateway -> new GatewayProbe(gateway, client, deployments, turnover))
                .orElseGet(() -> ofStore(cluster, client, deployments, console));
    }

    private static ClusterProbe ofStore(LocalCluster cluster, LambdaFs client, int deployments, Console console) {
        console.say("the platform does not tell λFS what it bills: costs are not known");
        try {
            OperatedCluster store = DistantCluster.of(cluster.directory(), DistantStore.unsaid());
            return new PlatformProbe(store, client, count(store, deployments));
        } catch (FsException e) {
            console.say("instances are not counted: " + e.getMessage());
            return new PlatformProbe(null, client, List.of());
        }
    }

    private static List<Integer> count(OperatedCluster store, int deployments) {
        List<Integer> counts = new ArrayList<>(Collections.nCopies(deployments, 0));
        for (LiveInstance each : store.onStore("list the instances", LiveInstance::list)) {
            if (each.deployment() < deployments) {
                counts.set(each.deployment(), counts.get(each.deployment()) + 1);
            }
        }
        return counts;
    }

    @Override
    public Sample sample() {
        if (store != null) {
            try {
                last = count(store, last.size());
            } catch (FsException e) {
                // Another store server is taking over: show the previous state until it has.
                last = List.copyOf(last);
            }
        }
        ClientMetrics.Snapshot now = client.metrics().snapshot();
        return new Sample(
                System.currentTimeMillis(),
                last,
                0,
                0,
                0,
                now.tcp() + now.http(),
                now.http(),
                now.cacheHits(),
                now.cacheMisses());
    }
}
