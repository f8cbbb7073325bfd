package io.lambdafs.benchmarks.clients;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.ClusterOptions;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.ReportedCommand;
import io.lambdafs.hammer.measure.Spread;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lambdafs bench clients}. */
@Command(
        name = "clients",
        description = {
            "What it buys, or costs, that at most so many clients of a process share a TCP server (tcp.clients-per-server).",
            "Opens equally many clients with each limit, in turns.",
            "Uses the running cluster that --dir names, or starts one for the time."
        })
public final class ClientsCommand extends ReportedCommand {

    @Mixin
    private ClusterOptions where = new ClusterOptions();

    @Option(
            names = "--clients",
            paramLabel = "N",
            description = "Clients of this process, each with a thread (default ${DEFAULT-VALUE}).")
    private int clients = 64;

    @Option(
            names = "--per-server",
            paramLabel = "N,…",
            split = ",",
            description =
                    "Most clients of a TCP server, 0 for no limit; all others are compared with the first (default 0,16,4).")
    private List<Integer> perServer = List.of(0, 16, 4);

    @Option(names = "--rounds", paramLabel = "N", description = "Turns of each (default ${DEFAULT-VALUE}).")
    private int rounds = 5;

    @Option(names = "--seconds", paramLabel = "S", description = "Length of a turn (default ${DEFAULT-VALUE}).")
    private double seconds = 2;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            description = "What comes before each turn and does not count (default ${DEFAULT-VALUE}).")
    private double warmUp = 1;

    public ClientsCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() throws InterruptedException {
        ClientsBench.Settings settings = new ClientsBench.Settings(clients, perServer, rounds, seconds, warmUp);
        return where.use(console, cluster -> run(cluster, settings));
    }

    private BenchResult run(LocalCluster cluster, ClientsBench.Settings settings) throws InterruptedException {
        ClientsBench.Result result = new ClientsBench(settings, cluster, console).run();
        return new BenchResult(json(result), text(result));
    }

    static ObjectNode json(ClientsBench.Result result) {
        ClientsBench.Settings settings = result.settings();
        ObjectNode tree = JsonNodeFactory.instance.objectNode().put("schema", 1);
        tree.put("clients", settings.clients())
                .put("rounds", settings.rounds())
                .put("seconds", settings.seconds())
                .put("warmUp", settings.warmUp())
                .put("processors", Runtime.getRuntime().availableProcessors());
        for (int most : settings.perServer()) {
            ObjectNode node = tree.withArray("limits").addObject().put("perServer", most);
            result.spread(most, Turn::servers).writeTo(node.putObject("servers"));
            result.spread(most, Turn::connections).writeTo(node.putObject("connections"));
            result.spread(most, Turn::httpCalls).writeTo(node.putObject("httpCalls"));
            result.spread(most, Turn::connectMillis).writeTo(node.putObject("connectMillis"));
            result.spread(most, Turn::hitShare).writeTo(node.putObject("hitShare"));
            result.spread(most, Turn::opsPerSecond).writeTo(node.putObject("opsPerSecond"));
            result.spread(most, Turn::p50Micros).writeTo(node.putObject("p50Micros"));
            result.spread(most, Turn::p99Micros).writeTo(node.putObject("p99Micros"));
            result.ratio(most, Turn::opsPerSecond).writeTo(node.putObject("opsRatio"));
            result.ratio(most, Turn::p50Micros).writeTo(node.putObject("p50Ratio"));
            result.ratio(most, Turn::p99Micros).writeTo(node.putObject("p99Ratio"));
        }
        return tree;
    }

    static String text(ClientsBench.Result result) {
        ClientsBench.Settings settings = result.settings();
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%d clients, each a thread that makes stats, one after the other; of them answered from a cache: %.2f %% or more%n"
                        + "medians of %d turns of %.1f s (least to greatest)%n"
                        + "clients of    servers  connec-  until connected:  stats a second                times the first      p50,    p99,%n"
                        + "a server               tions    HTTP calls, ms                                                       µs      µs%n",
                settings.clients(),
                settings.perServer().stream()
                        .mapToDouble(most ->
                                100 * result.spread(most, Turn::hitShare).min())
                        .min()
                        .orElse(0),
                settings.rounds(),
                settings.seconds()));
        for (int most : settings.perServer()) {
            Spread ops = result.spread(most, Turn::opsPerSecond);
            Spread ratio = result.ratio(most, Turn::opsPerSecond);
            text.append(String.format(
                    Locale.ROOT,
                    "%-12s  %-7.0f  %-7.0f  %-4.0f %-11.0f  %-28s  %-19s  %-6.0f  %.0f%n",
                    most == 0 ? "no limit" : most,
                    result.spread(most, Turn::servers).median(),
                    result.spread(most, Turn::connections).median(),
                    result.spread(most, Turn::httpCalls).median(),
                    result.spread(most, Turn::connectMillis).median(),
                    ops.text(0),
                    ratio.text(2),
                    result.spread(most, Turn::p50Micros).median(),
                    result.spread(most, Turn::p99Micros).median()));
        }
        return text.toString().stripTrailing();
    }
}
