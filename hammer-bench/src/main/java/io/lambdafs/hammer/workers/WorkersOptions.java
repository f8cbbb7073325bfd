package io.lambdafs.hammer.workers;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.process.JavaCommand;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.load.LoadOptions;
import io.lambdafs.hammer.load.LoadRun;
import io.lambdafs.hammer.load.PartialReport;
import io.lambdafs.hammer.replay.ClusterProbe;
import io.lambdafs.hammer.workload.Texts;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.model.FsPath;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of {@code lambdafs replay} for several processes that offer the load. */
public final class WorkersOptions {
    private static final int HEAP_MB = 1_024;
    /** As many as can draw different operations. */
    private static final int MOST_WORKERS = 1_024;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Number of local processes that offer the load, each its share, on its own tree.")
    private int workers;

    @Option(
            names = "--await-workers",
            paramLabel = "N",
            description = "Number of further workers to wait for, started anywhere by \"lambdafs worker --master "
                    + "HOST:PORT\".")
    private int awaited;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Address workers register at (default ${DEFAULT-VALUE}: a free port).")
    private String listen = "127.0.0.1:0";

    @Option(
            names = "--await-seconds",
            paramLabel = "S",
            description = "Seconds to wait until all have registered (default ${DEFAULT-VALUE}).")
    private int awaitSeconds = 120;

    /** Returns whether any workers are requested. */
    public boolean any() {
        Options.check(workers >= 0 && workers <= 64, "--workers is 0..64, not " + workers);
        Options.check(awaited >= 0 && awaited <= 1_000, "--await-workers is 0..1000, not " + awaited);
        Options.check(awaitSeconds >= 1 && awaitSeconds <= 86_400, "--await-seconds is 1..86400, not " + awaitSeconds);
        WorkerCommand.address("--listen", listen);
        return workers + awaited > 0;
    }

    /** Checks that a load can be shared among the workers. */
    public void check(Workload workload) {
        int all = workers + awaited;
        Options.check(
                all <= MOST_WORKERS,
                "--workers and --await-workers are " + MOST_WORKERS + " together at most, not " + all);
        Options.check(
                workload.baseOps() >= all,
                "a load of " + Texts.plain(workload.baseOps()) + " operations per second is less than 1 for each of "
                        + all + " workers: raise --base-ops, or ask for fewer workers");
    }

    /**
     * Starts and awaits the workers, lets them replay the load, and shows and reports the result, also a partial one if
     * interrupted.
     *
     * @return the exit code
     */
    public int replay(
            LocalCluster cluster, Console console, LoadOptions options, Workload workload, FsPath where, boolean json) {
        List<Process> processes = new ArrayList<>();
        ClusterSettings settings = cluster.settings(LocalCluster.StartOptions.none());
        InetSocketAddress address = WorkerCommand.address("--listen", listen);
        try (Master master = new Master(address, WorkerCommand.secret(cluster.directory()));
                LambdaFs client = LoadRun.client(cluster)) {
            // Made first: workers that have registered do not wait for it.
            ClusterProbe probe = LoadRun.probe(cluster, client, console);
            String at =
                    master.address().getHostString() + ":" + master.address().getPort();
            for (int i = 1; i <= workers; i++) {
                processes.add(start(cluster, at, options.report().resolve("worker-" + i)));
            }
            console.say("waiting for " + (workers + awaited) + " workers at " + at
                    + (awaited > 0 ? ": lambdafs worker --master " + at + " --dir …" : ""));
            master.await(workers + awaited, Duration.ofSeconds(awaitSeconds));
            Messages.Task task = new Messages.Task(
                    options.tree().toAbsolutePath(),
                    options.maxFiles(),
                    settings.instance().smallFileLimitBytes(),
                    where,
                    workload);
            return PartialReport.during(console, options.report(), unfinished -> {
                WorkersResult result = master.run(
                        task,
                        LoadRun.fleet(settings),
                        probe,
                        progress -> console.progress(progress.line()),
                        unfinished);
                console.endProgress();
                return result.show(console, options.report(), json);
            });
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    /** @param folder for its report if this process is lost; its log is a sibling */
    private static Process start(LocalCluster cluster, String master, Path folder) {
        Path log = folder.resolveSibling(folder.getFileName() + ".log");
        List<String> command = JavaCommand.measuring(WorkerMain.class, HEAP_MB, JavaCommand.classPath());
        command.addAll(List.of(
                "--master", master, "--dir", cluster.directory().root().toString(), "--report", folder.toString()));
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        } catch (IOException e) {
            throw CommandFailure.ofFile("a worker cannot be started, or its log " + log + " not written", e);
        }
    }
}
