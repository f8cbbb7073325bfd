package io.lambdafs.hammer.grid;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.terminal.Console;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lambdafs bench knobs}: p and ConcurrencyLevel (the paper's figure 6). */
@Command(
        name = "knobs",
        description = {
            "Measure the two settings of scaling (the paper's §3.4): the probability p of HTTP instead of "
                    + "TCP, and ConcurrencyLevel.",
            "Runs every combination of their values, each on its own cluster."
        })
public final class KnobsCommand extends GridCommand {
    @Option(
            names = "--p",
            paramLabel = "P,P",
            split = ",",
            description = "Probabilities, at most 0.01 (default ${DEFAULT-VALUE}).")
    private List<Double> probabilities = List.of(0.0, 0.001, 0.01);

    @Option(
            names = "--levels",
            paramLabel = "N,N",
            split = ",",
            description = "Concurrent HTTP requests per instance (default ${DEFAULT-VALUE}).")
    private List<Integer> levels = List.of(1, 4, 16);

    public KnobsCommand(Console console) {
        super(console);
    }

    @Override
    List<Setup> setups(ClusterSettings usual) {
        List<Setup> setups = new ArrayList<>();
        double vcpu = usual.deployments()
                * usual.pool().maxInstances()
                * usual.instance().cpuShare();
        for (double p : probabilities) {
            Options.check(p >= 0 && p <= ClientConfig.HttpUse.MAX_PROBABILITY, "--p is 0..0.01, not " + p);
            for (int level : levels) {
                Options.check(level >= 1 && level <= 10_000, "--levels is 1..10000, not " + level);
                ObjectNode settings = JsonNodeFactory.instance.objectNode();
                settings.putObject("instance").put("concurrency", level);
                setups.add(new Setup(
                        String.format(Locale.ROOT, "p %s, level %d", p, level),
                        "a cluster as it comes but for these",
                        settings,
                        cluster -> client(cluster, p),
                        vcpu,
                        false));
            }
        }
        return setups;
    }

    private static LambdaFs client(LocalCluster cluster, double p) {
        ClientConfig.HttpUse usual = ClientConfig.HttpUse.DEFAULT;
        return LambdaFs.open(ClientConfigBuilder.load(cluster.directory().client())
                .http(new ClientConfig.HttpUse(p, usual.maxReplacements(), usual.maxInFlight()))
                .build());
    }

    @Override
    GridOp[] usualOps() {
        return new GridOp[] {GridOp.READ};
    }

    @Override
    List<Integer> usualClients() {
        return List.of(16, 128);
    }

    @Override
    GridReport empty() {
        return new GridReport("knobs", "HTTP-TCP replacement and ConcurrencyLevel", "p of at most 1 % did best (§3.4)");
    }
}
