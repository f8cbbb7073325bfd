package io.lambdafs.cli;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.CoordinationOptions;
import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.hammer.ImportSettings;
import io.lambdafs.hammer.LoadShape;
import io.lambdafs.hammer.OperationMix;
import io.lambdafs.hammer.ReplayResult;
import io.lambdafs.hammer.ReplaySettings;
import io.lambdafs.hammer.load.LoadOptions;
import io.lambdafs.hammer.load.LoadRun;
import io.lambdafs.hammer.load.MixFile;
import io.lambdafs.hammer.load.Outcome;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.NamespaceOperation;
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
        description = "Import a tree into a running cluster and replay a workload on it, in bursts.")
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
            paramLabel = "spotify|FILE",
            description =
                    "The mix of operations: the paper's, or a JSON object of shares by operation: create, mkdirs, delete, mv, read, stat, ls (default ${DEFAULT-VALUE}).")
    private String profile = SPOTIFY;

    @Option(
            names = "--base-ops",
            paramLabel = "N",
            description = "Base throughput, operations per second; bursts go to 7 times it (default ${DEFAULT-VALUE}).")
    private double baseOps = 2_000;

    @Option(names = "--seconds", paramLabel = "S", description = "Length of the load (default ${DEFAULT-VALUE}).")
    private int seconds = 60;

    @Option(names = "--report", paramLabel = "DIR", description = "Where report.html goes (default ${DEFAULT-VALUE}).")
    private Path report = Path.of("lambdafs-report");

    @Option(names = "--seed", paramLabel = "N", description = "Of every random choice (default ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--tree", paramLabel = "DIR", description = "What is imported (default ${DEFAULT-VALUE}).")
    private Path tree = Path.of("/usr/share");

    @Option(names = "--max-files", paramLabel = "N", description = "Most files to import (default ${DEFAULT-VALUE}).")
    private int maxFiles = 20_000;

    @Option(
            names = "--target",
            paramLabel = "PATH",
            description =
                    "Empty or missing directory of the cluster that receives the tree, and keeps it; without, a new one is made and removed afterwards.")
    private @Nullable String target;

    @Option(names = "--json", description = "Print one JSON object instead of the table.")
    private boolean json;

    public ReplayCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        OperationMix mix = profile.equals(SPOTIFY) ? OperationMix.SPOTIFY : MixFile.read(Path.of(profile));
        LoadOptions options = new LoadOptions(tree, maxFiles, seconds, baseOps, report);
        FsPath where = FsPath.of(target == null ? "/replay-" + System.currentTimeMillis() : target);
        ImportSettings.of(tree, where);
        LocalCluster cluster = new LocalCluster(directory.find(), console);
        cluster.demandAnswer();
        coordination.demand(cluster);
        LambdaFs client = LoadRun.client(cluster);
        Thread hook = new Thread(() -> interrupted(client, cluster, where), "remove-imported");
        Runtime.getRuntime().addShutdownHook(hook);
        ReplayResult result;
        try {
            LoadRun run = new LoadRun(cluster, client, console);
            result = run.replay(
                    run.importTree(options, where),
                    new LoadRun.Load(
                            Duration.ofSeconds(seconds),
                            baseOps,
                            ReplaySettings.DEFAULT_BURST_FACTOR,
                            LoadShape.BURSTS,
                            mix,
                            seed));
        } finally {
            client.close();
            removeImported(cluster, where);
        }
        return new Outcome(result, report).show(console, json);
    }

    private void interrupted(LambdaFs client, LocalCluster cluster, FsPath where) {
        if (!removed.get()) {
            console.say("interrupted");
            console.mute();
            client.close();
            removeImported(cluster, where);
        }
    }

    /**
     * What was made without having been asked for does not stay: once nothing makes more of it. A failure costs the tidiness, not the
     * result.
     */
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
