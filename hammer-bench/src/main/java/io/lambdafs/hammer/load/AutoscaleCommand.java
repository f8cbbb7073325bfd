package io.lambdafs.hammer.load;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.emulation.EmulateOption;
import io.lambdafs.hammer.emulation.Emulation;
import io.lambdafs.hammer.measure.BenchCommand;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.TreeOptions;
import io.lambdafs.hammer.report.Report;
import io.lambdafs.hammer.tree.ImportResult;
import io.lambdafs.hammer.workload.LoadShape;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.model.FsPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lambdafs bench autoscale}: the paper's figure 14. */
@Command(
        name = "autoscale",
        description = {
            "Replay the Spotify mix at a base load, at 7 times that, and at the base again: with "
                    + "auto-scaling, with few",
            "instances per deployment, and with one. Starts a temporary cluster. Fails if an operation fails "
                    + "or is missing."
        })
public final class AutoscaleCommand extends BenchCommand {
    private static final int OFF = 1;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "Instances per deployment in the limited run (default ${DEFAULT-VALUE}).")
    private int limit = 2;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Length of each load in seconds (default ${DEFAULT-VALUE}).")
    private int seconds = 90;

    @Option(
            names = "--base-ops",
            paramLabel = "N",
            description = "Operations per second before and after the step (default ${DEFAULT-VALUE}).")
    private double baseOps = 700;

    @Mixin
    private TreeOptions trees = new TreeOptions();

    @Mixin
    private EmulateOption emulate = new EmulateOption();

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Directory for the pages, one folder each (default ${DEFAULT-VALUE}).")
    private Path report = Path.of("lambdafs-report");

    @Option(names = "--seed", paramLabel = "N", description = "Random seed (default ${DEFAULT-VALUE}).")
    private long seed = 1;

    public AutoscaleCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() {
        LoadOptions options = new LoadOptions(trees.tree(), trees.maxFiles(), seconds, baseOps, report);
        Options.check(seconds >= 30, "--seconds is 30..86400, not " + seconds);
        Options.check(limit >= 1 && limit <= 1_000, "--limit is 1..1000, not " + limit);
        Emulation emulation = emulate.orNone();
        try (TemporaryCluster temporary = TemporaryCluster.start(emulation.under(trees.startOptions()), console)) {
            AutoscaleResult result = measure(temporary.cluster(), options);
            if (result.failed() > 0) {
                temporary.saveLogs(report.resolve("logs"));
            }
            return new BenchResult(
                    result.json(), result.text() + "\npages: " + report, result.failures(report.resolve("logs")));
        }
    }

    private AutoscaleResult measure(LocalCluster cluster, LoadOptions options) {
        int most = cluster.gateway().client().maxInstances();
        List<StepResponse> responses = new ArrayList<>();
        for (int allowed : IntStream.of(most, limit, OFF).distinct().toArray()) {
            responses.add(respond(cluster, options, allowed));
        }
        return new AutoscaleResult(
                baseOps,
                Workload.DEFAULT_BURST_FACTOR,
                seconds,
                cluster.settings(LocalCluster.StartOptions.none()).distance(),
                responses);
    }

    /**
     * Measures one limit, with a new client and a new directory, and an import by one instance of each deployment, as
     * if it were the first.
     */
    private StepResponse respond(LocalCluster cluster, LoadOptions options, int allowed) {
        try (LambdaFs client = LoadRun.client(cluster)) {
            LoadRun run = new LoadRun(cluster, client, console);
            cluster.gateway().client().scale(1);
            ImportResult imported = run.importTree(options, FsPath.of("/at-most-" + allowed));
            cluster.gateway().client().scale(allowed);
            Turnover turnover = new Turnover();
            Workload load =
                    Workload.spotify(Duration.ofSeconds(seconds), baseOps, seed).withShape(LoadShape.STEP);
            StepResponse response = new StepResponse(allowed, seconds, run.replay(imported, load, turnover), turnover);
            Report.write(response.result(), report.resolve("at-most-" + allowed));
            return response;
        }
    }
}
