package io.lambdafs.hammer.grid;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.terminal.Console;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code lambdafs bench ways}: one read by TCP and by HTTP. */
@Command(
        name = "ways",
        description = "Measure the same reads over TCP only and over HTTP only: what the hybrid transport (the paper's "
                + "§3.2) gains.")
public final class WaysCommand extends GridCommand {
    public WaysCommand(Console console) {
        super(console);
    }

    @Override
    List<Setup> setups(ClusterSettings usual) {
        return List.of(setup("tcp", true), setup("http", false));
    }

    private static Setup setup(String label, boolean tcp) {
        ObjectNode settings = JsonNodeFactory.instance.objectNode();
        settings.setAll(TemporaryCluster.unlimited());
        return new Setup(
                label,
                tcp ? "over connections that instances opened" : "an HTTP call of the gateway for each operation",
                settings,
                cluster -> client(cluster, tcp),
                0,
                false);
    }

    private static LambdaFs client(LocalCluster cluster, boolean tcp) {
        ClientConfig.HttpUse usual = ClientConfig.HttpUse.DEFAULT;
        return LambdaFs.open(ClientConfigBuilder.load(cluster.directory().client())
                .http(new ClientConfig.HttpUse(0, usual.maxReplacements(), usual.maxInFlight()))
                .tcpEnabled(tcp)
                .build());
    }

    @Override
    GridOp[] usualOps() {
        return new GridOp[] {GridOp.READ, GridOp.STAT, GridOp.LS};
    }

    @Override
    List<Integer> usualClients() {
        return List.of(1, 16);
    }

    @Override
    GridReport empty() {
        return new GridReport("ways", "reads by TCP and by HTTP", "1–2 ms by TCP, 8–20 ms by HTTP (§3.2)");
    }
}
