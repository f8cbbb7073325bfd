package io.lambdafs.benchmarks.micro;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.benchmarks.micro.driver.MicroOp;
import io.lambdafs.benchmarks.peers.Bench;
import io.lambdafs.benchmarks.peers.PeersOption;
import io.lambdafs.benchmarks.peers.Target;
import io.lambdafs.benchmarks.peers.Targets;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.ReportedCommand;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lambdafs bench micro}. */
@Command(
        name = "micro",
        description = {
            "Measure throughput, latency and CPU per operation, of one file system or of several in turns.",
            "Without --dir and --fs, starts a temporary λFS cluster with one instance per deployment.",
            "Each file system has its own measuring process; the others rest meanwhile."
        })
public final class MicroCommand extends ReportedCommand {
    private static final List<Integer> ALL_LANES = List.of(1, 8, 32, 128);

    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    @Mixin
    private PeersOption peers = new PeersOption();

    @Option(
            names = "--ops",
            paramLabel = "OP,…",
            split = ",",
            description = "Operations: stat, open, ls16, ls10000, mkdirs, create, createsame (all in one directory), "
                    + "rename, delete, spotify, ls1000, renamedir1000 and renamedir10000 (a directory of that many "
                    + "files) (default stat,create,spotify).")
    private @Nullable List<String> ops;

    @Option(
            names = "--threads",
            paramLabel = "N,…",
            split = ",",
            description = "Threads calling Hadoop's interface; 0 for none (default 32).")
    private @Nullable List<Integer> threads;

    @Option(
            names = "--window",
            paramLabel = "N,…",
            split = ",",
            description = "Calls in flight through the native interface; 0 for none (default 128).")
    private @Nullable List<Integer> windows;

    @Option(
            names = "--paper",
            description = {
                "Run all operations up to spotify, with 1, 8, 32 and 128 threads and calls in flight,",
                "--rounds 5 --warm-up 1 --directories 5000: takes over an hour."
            })
    private boolean paper;

    @Option(names = "--rounds", paramLabel = "N", description = "Turns of each (default 3).")
    private @Nullable Integer rounds;

    @Option(names = "--seconds", paramLabel = "S", description = "Length of a turn (default ${DEFAULT-VALUE}).")
    private double seconds = 2;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            description = "Warm-up before each turn, not counted; three times as long before all turns (default 0.5).")
    private @Nullable Double warmUp;

    @Option(
            names = "--directories",
            paramLabel = "N",
            description = "Directories of 20 files for the Spotify mix (default 2000).")
    private @Nullable Integer directories;

    @Option(names = "--seed", paramLabel = "N", description = "Random seed (default ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--conf",
            paramLabel = "FILE",
            description = "JSON file with settings of the temporary λFS cluster (default: no CPU limit for instances).")
    private @Nullable Path conf;

    @Option(names = "--out", paramLabel = "FILE", description = "File to write the result to, for --compare.")
    private @Nullable Path out;

    @Option(names = "--compare", paramLabel = "FILE", description = "File written by --out to compare the result with.")
    private @Nullable Path compare;

    public MicroCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() throws InterruptedException {
        MicroSettings settings = new MicroSettings(
                MicroSettings.ops(usual(ops, MicroOp.few(), MicroOp.usual())),
                MicroSettings.lanes(usual(threads, List.of(32), ALL_LANES)),
                MicroSettings.lanes(usual(windows, List.of(128), ALL_LANES)),
                usual(rounds, 3, 5),
                seconds,
                usual(warmUp, 0.5, 1.0),
                seed,
                usual(directories, 2_000, 5_000));
        peers.check();
        JsonNode before = compare == null ? null : Comparison.read(compare);
        double load = MeasuredOn.loadNow();
        try (Bench bench = new Bench(console)) {
            List<Target> targets = targets(bench);
            Map<LaneKey, List<Round>> lanes = new MicroBench(settings, console).run(targets, bench.folder());
            List<LaneResult> results = lanes.entrySet().stream()
                    .map(each -> new LaneResult(each.getKey(), each.getValue()))
                    .toList();
            List<Ratio> ratios =
                    Ratio.all(lanes, targets.stream().map(Target::name).toList());
            MeasuredOn surroundings = MeasuredOn.of(load, targets);
            ObjectNode tree = MicroJson.of(settings, surroundings, results, ratios);
            String text = compared(tree, MicroTable.of(settings, surroundings, results, ratios), before);
            return new BenchResult(
                    tree,
                    text,
                    results.stream()
                            .filter(each -> each.failed() > 0)
                            .limit(1)
                            .map(each -> each.failed() + " calls failed; the first: " + each.failure())
                            .toList());
        }
    }

    private <T> T usual(@Nullable T given, T usual, T paper) {
        return given != null ? given : this.paper ? paper : usual;
    }

    private List<Target> targets(Bench bench) throws InterruptedException {
        List<Target> targets = new ArrayList<>();
        if (directory.isGiven()) {
            LocalCluster cluster = new LocalCluster(directory.find(), console);
            cluster.gateway().demandAnswer();
            targets.add(Targets.lambdafs(cluster, false));
        } else if (!peers.namesFileSystems()) {
            ObjectNode keys = conf == null ? settings() : JsonNodeFactory.instance.objectNode();
            targets.add(
                    Targets.lambdafs(bench.start(new LocalCluster.StartOptions(conf, peers.forCluster(keys))), true));
        }
        targets.addAll(peers.start(bench, targets.stream().findFirst()));
        return targets;
    }

    /**
     * Settings with one instance per processor, as each works on one thread, and at least two, to partition the
     * namespace.
     */
    private static ObjectNode settings() {
        int deployments = Math.max(2, Runtime.getRuntime().availableProcessors());
        return TemporaryCluster.unlimited().put("deployments", deployments);
    }

    private String compared(ObjectNode tree, String table, @Nullable JsonNode before) {
        String text = table;
        if (before != null) {
            Comparison comparison = Comparison.of(before, tree);
            comparison.write(tree.putArray("comparison"));
            text = text + System.lineSeparator() + comparison.lines();
        }
        if (out != null) {
            try {
                Files.writeString(out, tree.toPrettyString() + "\n");
            } catch (IOException e) {
                throw FsException.unavailable("cannot write " + out + ": " + e, e);
            }
        }
        return text;
    }
}
