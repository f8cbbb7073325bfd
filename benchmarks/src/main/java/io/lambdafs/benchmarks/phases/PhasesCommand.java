package io.lambdafs.benchmarks.phases;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.benchmarks.peers.Bench;
import io.lambdafs.benchmarks.peers.PeersOption;
import io.lambdafs.benchmarks.peers.Target;
import io.lambdafs.benchmarks.peers.Targets;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.ReportedCommand;
import io.lambdafs.hammer.measure.ResultPage;
import io.lambdafs.hammer.phases.PhasesSettings;
import io.lambdafs.hammer.report.TextTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Base of the commands for experiments in phases: starts file systems, runs on each in turns, and prints a row for each
 * phase.
 */
abstract class PhasesCommand extends ReportedCommand {
    private static final List<Integer> PAPER_CLIENTS = List.of(2, 4, 8, 16, 32, 64, 128, 256);
    private static final int PAPER_FILES = 10_000;
    private static final int TURN_SECONDS = 120;

    @Mixin
    private PeersOption peers = new PeersOption();

    @Option(
            names = "--clients",
            paramLabel = "N,N",
            split = ",",
            description =
                    "Numbers of clients, each with one operation at a time, measured one after the other (default "
                            + "16).")
    private List<Integer> clients = List.of();

    @Option(names = "--files", paramLabel = "N", description = "Files per client (default ${DEFAULT-VALUE}).")
    private int files = 1_000;

    @Option(names = "--total", paramLabel = "N", description = "Files of all clients together, instead of --files.")
    private long total;

    @Option(
            names = "--paper",
            description = "Use the size of the paper's figure 16: 2 to 256 clients, 10,000 files each.")
    private boolean paper;

    @Option(
            names = "--turn-seconds",
            paramLabel = "S",
            description =
                    "Time limit of a turn: a slower file system gets fewer files, as its rows say (default 120; with "
                            + "--paper, --total or 0, no limit).")
    private @Nullable Integer turnSeconds;

    @Option(
            names = "--conf",
            paramLabel = "FILE",
            description = "JSON file with settings of the λFS cluster (default: no CPU limit for instances).")
    private @Nullable Path conf;

    PhasesCommand(Console console) {
        super(console);
    }

    /** Returns the parameters of one experiment. */
    abstract PhasesSettings settings(int clients, int files);

    /** Starts what this experiment alone is run at. */
    List<Target> more(Bench bench) throws InterruptedException {
        return List.of();
    }

    @Override
    protected BenchResult measure() throws InterruptedException {
        peers.check();
        List<PhasesSettings> sizes = sizes();
        int longest = longestTurn();
        try (Bench bench = new Bench(console)) {
            List<Target> targets = new ArrayList<>();
            if (!peers.namesFileSystems()) {
                ObjectNode keys = conf == null ? TemporaryCluster.unlimited() : JsonNodeFactory.instance.objectNode();
                targets.add(Targets.lambdafs(
                        bench.start(new LocalCluster.StartOptions(conf, peers.forCluster(keys))), true));
            }
            targets.addAll(peers.start(bench, targets.stream().findFirst()));
            targets.addAll(more(bench));
            ArrayNode rows = JsonNodeFactory.instance.arrayNode();
            ObjectNode tree = JsonNodeFactory.instance.objectNode().put("schema", 1);
            tree.put("bytes", sizes.get(0).bytes()).put("shared", sizes.get(0).shared());
            tree.set("phases", rows);
            PhasesTurns turns = new PhasesTurns(
                    console,
                    longest,
                    rows,
                    state -> soFar(new BenchResult(tree.deepCopy().put(ResultPage.UNFINISHED, state), "")));
            List<String> failures = turns.run(targets, sizes, bench.folder());
            return new BenchResult(tree, text(sizes.get(0), rows), failures);
        }
    }

    private int longestTurn() {
        Integer given = turnSeconds;
        Options.check(given == null || given >= 0, "--turn-seconds is 0 or more, not " + given);
        return given == null ? (paper || total > 0 ? 0 : TURN_SECONDS) : given;
    }

    /** Returns one experiment for each number of clients. */
    List<PhasesSettings> sizes() {
        List<Integer> counts = clients.isEmpty() ? (paper ? PAPER_CLIENTS : List.of(16)) : clients;
        Options.check(total >= 0, "--total is 1 or more, not " + total);
        List<PhasesSettings> sizes = new ArrayList<>();
        for (int count : counts) {
            Options.check(count >= 1, "--clients is 1..1024, not " + count);
            Options.check(
                    total == 0 || total >= count, "--total is at least one file for each of " + count + " clients");
            int each = paper ? PAPER_FILES : files;
            sizes.add(settings(count, total == 0 ? each : (int) Math.min(Integer.MAX_VALUE, total / count)));
        }
        return sizes;
    }

    private static String text(PhasesSettings settings, ArrayNode rows) {
        return String.format(
                        Locale.ROOT,
                        "%s, %,d bytes a file%n",
                        settings.shared() ? "all in one directory" : "a directory for each client",
                        settings.bytes())
                + new TextTable<JsonNode>()
                        .left("target", 12, each -> each.path("target").asText())
                        .left("api", 7, each -> each.path("api").asText())
                        .number("clients", 8, "%d", each -> each.path("clients").asInt())
                        .number("files", 9, "%,d", each -> each.path("files").asInt())
                        .left("", 15, each -> each.path("phase").asText())
                        .number(
                                "ops/s",
                                10,
                                "%,d",
                                each -> each.path("opsPerSecond").asLong())
                        .number(
                                "p50 ms",
                                10,
                                "%.2f",
                                each -> each.path("p50Micros").asLong() / 1e3)
                        .number(
                                "p99 ms",
                                10,
                                "%.2f",
                                each -> each.path("p99Micros").asLong() / 1e3)
                        .number(
                                "p99.9 ms",
                                10,
                                "%.2f",
                                each -> each.path("p999Micros").asLong() / 1e3)
                        .number("failed", 8, "%,d", each -> each.path("failed").asLong())
                        .of(rows)
                + "(service times of a closed loop: each client's next operation starts when the one before is answered)";
    }
}
