package io.lambdafs.benchmarks.trace;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.CoordinationOptions;
import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.hammer.load.LoadOptions;
import io.lambdafs.hammer.load.LoadRun;
import io.lambdafs.hammer.load.Outcome;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.trace.TraceScan;
import io.lambdafs.hammer.tree.ImportSettings;
import io.lambdafs.hammer.tree.TreeNames;
import io.lambdafs.hammer.workers.WorkersOptions;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.hammer.workload.WorkloadFile;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.NamespaceOperation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lambdafs replay}. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Replay a workload or a recorded trace on a running cluster.",
            "Imports a tree and replays bursts on it, or replays a trace at its own speed or faster."
        })
public final class ReplayCommand implements Callable<Integer> {
    private static final String SPOTIFY = "spotify";

    private final Console console;
    private final AtomicBoolean removed = new AtomicBoolean();

    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    @Mixin
    private CoordinationOptions coordination = new CoordinationOptions();

    @Option(
            names = "--profile",
            paramLabel = "spotify|analytics|FILE",
            description =
                    "Workload: spotify (the paper's), analytics (MapReduce), or a YAML file with operations, load, "
                            + "tree, zipf and seed (default ${DEFAULT-VALUE}).")
    private String profile = SPOTIFY;

    @Option(
            names = "--base-ops",
            paramLabel = "N",
            description = "Base load in operations per second (default: the profile's; spotify: 2000).")
    private @Nullable Double baseOps;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Length of the load in seconds (default: the profile's; spotify: 60).")
    private @Nullable Integer seconds;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Directory for report.html (default ${DEFAULT-VALUE}).")
    private Path report = Path.of("lambdafs-report");

    @Option(names = "--seed", paramLabel = "N", description = "Random seed (default: the profile's; spotify: 1).")
    private @Nullable Long seed;

    @Option(names = "--tree", paramLabel = "DIR", description = "Local tree to import (default ${DEFAULT-VALUE}).")
    private Path tree = Path.of("/usr/share");

    @Option(
            names = "--max-files",
            paramLabel = "N",
            description = "Maximum number of files to import (default ${DEFAULT-VALUE}).")
    private int maxFiles = 20_000;

    @Option(
            names = "--target",
            paramLabel = "PATH",
            description =
                    "Empty or missing directory of the cluster to import the tree into, and to keep (default: a new "
                            + "one, removed afterwards).")
    private @Nullable String target;

    @Mixin
    private TraceOptions trace = new TraceOptions();

    @Mixin
    private WorkersOptions workers = new WorkersOptions();

    @Option(names = "--dry-run", description = "Check everything and print what would run; needs no cluster.")
    private boolean dryRun;

    @Option(names = "--json", description = "Print one JSON object instead of the table.")
    private boolean json;

    public ReplayCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        Options.check(seconds == null || (seconds >= 1 && seconds <= 86_400), "--seconds is 1..86400, not " + seconds);
        Options.check(baseOps == null || (baseOps >= 1 && baseOps <= 1e6), "--base-ops is 1..1000000, not " + baseOps);
        Workload workload = workload();
        TreeNames names = WorkloadFile.names(profile);
        LoadOptions options =
                new LoadOptions(tree, maxFiles, (int) workload.length().toSeconds(), workload.baseOps(), report, names);
        Options.check(
                !workers.any() || (names == null && workload.warmUp().isZero()),
                "--workers take neither \"tree\" nor \"warm-up\" of a profile: leave them out of " + profile);
        workers.check(workload);
        TraceScan scan = trace.scan();
        Options.check(!workers.any() || scan == null, "--workers share a workload; a trace is replayed by one process");
        FsPath where = FsPath.of(target == null ? "/replay-" + System.currentTimeMillis() : target);
        ImportSettings.of(tree, where);
        if (dryRun) {
            console.print(
                    scan == null
                            ? workload.plan() + (names == null ? "" : "\non " + names.describe())
                            : scan.describe());
            return ExitCode.OK.number();
        }
        LocalCluster cluster = new LocalCluster(directory.find(), console);
        cluster.gateway().demandAnswer();
        coordination.demand(cluster);
        LambdaFs client = LoadRun.client(cluster);
        Thread hook = new Thread(() -> interrupted(client, cluster, where), "remove-imported");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            if (workers.any()) {
                return workers.replay(cluster, console, options, workload, where, json);
            }
            LoadRun run = new LoadRun(cluster, client, console).withReport(report);
            if (scan != null) {
                return trace.replay(run, scan, where).show(console, report, json);
            }
            ReplayResult result = run.replay(run.importTree(options, where), workload);
            return new Outcome(result, report).show(console, json);
        } finally {
            client.close();
            removeImported(cluster, where);
        }
    }

    /** Returns the profile's workload with the given options applied. */
    private Workload workload() {
        Workload workload = WorkloadFile.read(profile);
        workload = seed == null ? workload : workload.withSeed(seed);
        workload = seconds == null ? workload : workload.withLength(Duration.ofSeconds(seconds));
        return baseOps == null ? workload : workload.withBaseOps(baseOps);
    }

    private void interrupted(LambdaFs client, LocalCluster cluster, FsPath where) {
        if (!removed.get()) {
            console.say("interrupted");
            console.mute();
            client.close();
            removeImported(cluster, where);
        }
    }

    /** Removes an import made implicitly, once the load has ended. A failure does not affect the result. */
    private void removeImported(LocalCluster cluster, FsPath where) {
        if (target != null || !removed.compareAndSet(false, true)) {
            return;
        }
        try (LambdaFs client = LoadRun.client(cluster)) {
            BlockingLambdaFs.await(client.execute(new NamespaceOperation.Delete(where, true)));
        } catch (FsException e) {
            if (e.code() != ErrorCode.NOT_FOUND) {
                console.say(where + " of the cluster could not be removed: " + e.getMessage());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            console.say(where + " of the cluster was left: interrupted");
        }
    }
}
