package io.lambdafs.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.cluster.gateway.GatewayReach;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.Json;
import io.lambdafs.model.FsException;
import io.lambdafs.store.block.Datanode;
import io.lambdafs.store.block.Draining;
import io.lambdafs.store.instance.LiveInstance;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The current status of a cluster that runs elsewhere, as far as it is visible from here. Immutable. */
public final class DistantStatus {
    private static final String RUNNING = "running";
    private static final String UNREACHABLE = "unreachable";

    private final DistantCluster cluster;
    private final List<Part> parts = new ArrayList<>();
    private final List<LiveInstance> instances = new ArrayList<>();

    /**
     * One service.
     *
     * @param state {@code running}, {@code silent} (a datanode without a recent heartbeat), {@code unreachable} from
     *     here, or a datanode's own
     */
    private record Part(String name, String state, String endpoint) {}

    /**
     * Queries the status.
     *
     * @param directory of the client
     */
    public DistantStatus(ClusterDirectory directory, DistantCluster cluster) {
        this.cluster = cluster;
        if (Files.exists(directory.client())) {
            ClientConfig client = ClientConfig.load(directory.client());
            parts.add(new Part(
                    "gateway",
                    GatewayReach.answers(client) ? RUNNING : UNREACHABLE,
                    GatewayReach.where(client).toString()));
        }
        try {
            instances.addAll(cluster.onStore("list the instances", LiveInstance::list));
            parts.add(new Part("store", RUNNING, cluster.storeAddress()));
            long now = System.currentTimeMillis();
            cluster.onStore("list the datanodes", Draining::list).forEach(each -> parts.add(part(each, now)));
        } catch (FsException e) {
            parts.add(new Part("store", UNREACHABLE, cluster.storeAddress()));
        }
    }

    private static Part part(Datanode datanode, long now) {
        String state = datanode.state() == Datanode.State.SERVING
                ? Draining.serves(datanode, now) ? RUNNING : "silent"
                : datanode.state().name().toLowerCase(Locale.ROOT);
        return new Part(
                datanode.address().id(),
                state,
                datanode.address().host() + ":" + datanode.address().port());
    }

    /** Returns whether all services are seen to run. */
    public boolean isServing() {
        return parts.stream()
                .noneMatch(
                        each -> each.state().equals(UNREACHABLE) || each.state().equals("silent"));
    }

    /** Returns the status as JSON. */
    public ObjectNode json() {
        ObjectNode tree = Json.object().put("schema", 1);
        for (Part each : parts) {
            tree.withArray("services")
                    .addObject()
                    .put("name", each.name())
                    .put("state", each.state())
                    .put("endpoint", each.endpoint())
                    .putNull("pid");
        }
        tree.withArray("instances");
        for (LiveInstance each : instances) {
            tree.withArray("instances")
                    .addObject()
                    .put("deployment", each.deployment())
                    .put("instance", each.id())
                    .put("epoch", each.epoch())
                    .put("joinedMillis", each.joinedMillis());
        }
        return tree;
    }

    /** Returns the status as text. */
    public String text() {
        StringBuilder text = new StringBuilder(cluster.toString()).append('\n');
        for (Part each : parts) {
            line(text, "  %-16s %-11s %s", each.name(), each.state(), each.endpoint());
        }
        line(text, "instances: %d", instances.size());
        for (LiveInstance each : instances) {
            line(
                    text,
                    "  deployment %d: %s, epoch %d, for %,d s",
                    each.deployment(),
                    each.id(),
                    each.epoch(),
                    Math.max(0, System.currentTimeMillis() - each.joinedMillis()) / 1_000);
        }
        return text.toString().stripTrailing();
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
    }
}
