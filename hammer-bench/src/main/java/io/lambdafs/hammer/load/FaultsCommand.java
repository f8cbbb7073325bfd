package io.lambdafs.hammer.load;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.BenchCommand;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.TreeOptions;
import io.lambdafs.hammer.report.Report;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.tree.ImportResult;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.model.FsPath;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lambdafs bench faults}: the paper's figure 15, with harsher variants. */
@Command(
        name = "faults",
        description = {
            "Replay the Spotify mix with and without instances killed (SIGKILL) in turn, round robin over the "
                    + "deployments.",
            "Starts a temporary cluster. Fails if an operation fails or is missing."
        })
public final class FaultsCommand extends BenchCommand {
    private static final double LEVEL = 1;

    @Option(names = "--every", paramLabel = "S", description = "Seconds between kills (default ${DEFAULT-VALUE}).")
    private int every = 30;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Length of each load in seconds (default ${DEFAULT-VALUE}).")
    private int seconds = 120;

    @Option(
            names = "--base-ops",
            paramLabel = "N",
            description = "Sustained operations per second (default ${DEFAULT-VALUE}).")
    private double baseOps = 1_000;

    @Mixin
    private TreeOptions trees = new TreeOptions();

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Directory for report.html (default ${DEFAULT-VALUE}).")
    private Path report = Path.of("lambdafs-report");

    @Option(names = "--seed", paramLabel = "N", description = "Random seed (default ${DEFAULT-VALUE}).")
    private long seed = 1;

    public FaultsCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() {
        LoadOptions options = new LoadOptions(trees.tree(), trees.maxFiles(), seconds, baseOps, report);
        Options.check(every >= 1 && every <= seconds, "--every is 1..--seconds, not " + every);
        try (TemporaryCluster temporary = TemporaryCluster.start(trees.startOptions(), console)) {
            FaultsResult result = measure(temporary.cluster(), options);
            Path page = Report.write(result.with(), report);
            if (result.failed() > 0) {
                temporary.saveLogs(report.resolve("logs"));
            }
            return new BenchResult(
                    result.json(),
                    result.text() + "\nreport (with kills): " + page,
                    result.failures(report.resolve("logs")));
        }
    }

    private FaultsResult measure(LocalCluster cluster, LoadOptions options) {
        try (LambdaFs client = LoadRun.client(cluster)) {
            LoadRun run = new LoadRun(cluster, client, console);
            ReplayResult without = replay(run, options, FsPath.of("/fault-free"));
            ImportResult imported = run.importTree(options, FsPath.of("/faults"));
            try (InstanceKiller killer = new InstanceKiller(
                    cluster.gateway().client(), Duration.ofSeconds(every), Duration.ofSeconds(options.seconds()))) {
                ReplayResult with = run.replay(imported, load(options));
                return new FaultsResult(every, killer.killed(), without, with);
            }
        }
    }

    private ReplayResult replay(LoadRun run, LoadOptions options, FsPath target) {
        return run.replay(run.importTree(options, target), load(options));
    }

    private Workload load(LoadOptions options) {
        return Workload.spotify(Duration.ofSeconds(options.seconds()), options.baseOps(), seed)
                .withBurstFactor(LEVEL);
    }
}
