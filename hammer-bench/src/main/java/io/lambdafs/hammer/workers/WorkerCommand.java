package io.lambdafs.hammer.workers;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.hammer.load.LoadRun;
import io.lambdafs.hammer.replay.ClusterProbe;
import io.lambdafs.hammer.result.Sample;
import io.lambdafs.rpc.auth.Secret;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lambdafs worker}. */
@Command(
        name = "worker",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Offer a share of a load for a replay elsewhere.",
            "Registers with a \"lambdafs replay --await-workers\" and ends with it. On another machine, --dir "
                    + "names a directory with the cluster's client.json and secret."
        })
public final class WorkerCommand implements Callable<Integer> {
    private final Console console;

    @Option(
            names = "--master",
            paramLabel = "HOST:PORT",
            required = true,
            description = "Address the replay listens on.")
    private String master = "";

    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Directory for this share's report if the master is lost (default ${DEFAULT-VALUE}).")
    private Path report = Path.of("lambdafs-report");

    public WorkerCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        InetSocketAddress address = address("--master", master);
        ClusterDirectory cluster = directory.find();
        Secret secret = secret(cluster);
        try (LambdaFs client = LoadRun.client(new LocalCluster(cluster, console))) {
            new Worker(secret, client::execute, probe(client), console, report).run(address);
        }
        return ExitCode.OK.number();
    }

    /** Returns the secret that master and workers share. */
    static Secret secret(ClusterDirectory cluster) {
        return Secret.load(cluster.secret()).derived("hammer workers");
    }

    static InetSocketAddress address(String option, String text) {
        int colon = text.lastIndexOf(':');
        String port = text.substring(colon + 1);
        Options.check(
                colon > 0 && port.matches("\\d{1,5}") && Integer.parseInt(port) <= 65_535,
                option + " is HOST:PORT, not " + text);
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(port));
    }

    private static ClusterProbe probe(LambdaFs client) {
        return () -> {
            ClientMetrics.Snapshot now = client.metrics().snapshot();
            return new Sample(
                    System.currentTimeMillis(),
                    List.of(),
                    0,
                    0,
                    0,
                    now.http() + now.tcp(),
                    now.http(),
                    now.cacheHits(),
                    now.cacheMisses());
        };
    }
}
