package io.lambdafs.hammer.load;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.replay.Replay;
import io.lambdafs.hammer.replay.ReplaySettings;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.result.SeriesPoint;
import io.lambdafs.hammer.tree.ImportSettings;
import io.lambdafs.hammer.tree.NamespaceImport;
import io.lambdafs.hammer.workload.LoadShape;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * The throughput of the Spotify mix that a cluster on this machine can reach, found by offering more. Immutable.
 *
 * @param one operations per second with one instance of each deployment, once it has used up what it may take beyond its
 *     CPU share
 * @param othersShare share of the machine's processors that other processes used while the cluster idled, 0–1
 */
public record Capacity(double one, double othersShare) {
    /** The base load, as a share of the capacity of one instance per deployment: with seven times that, it needs others. */
    private static final double BASE_SHARE = 0.25;
    /** A smaller load shows nothing. */
    static final double LEAST_BASE = 1_500;

    private static final double BUSY = 0.25;
    private static final int FILES = 600;
    private static final double TOO_MUCH = 30_000;
    /** Longer than an instance's boost of CPU time lasts. */
    private static final int ONE_SECONDS = 6;
    /** Longer than the servers' credit of CPU time beyond their share lasts, however small that share is. */
    private static final int FLEET_SECONDS = 25;

    private static final int ONE_WINDOW = 64;
    private static final long SETTLE_MILLIS = 3_000;
    /** Time that fills the caches with what the load reads. */
    private static final Duration WARM_UP = Duration.ofSeconds(4);

    /**
     * Measures the capacity, in some seconds, with one instance of each deployment.
     *
     * @param others {@link #busyShare} before the cluster started, so that the cluster's own work does not count
     */
    public static Capacity find(LocalCluster cluster, LambdaFs client, Console console, Path tree, double others) {
        double one = offer(
                cluster,
                client,
                console,
                load(cluster, client, tree, ONE_SECONDS).withWindow(ONE_WINDOW));
        // Wait until they no longer report that they need more than their share: the load should begin with these
        // alone.
        sleep(SETTLE_MILLIS);
        return new Capacity(one, others);
    }

    /** Measures the capacity of a fleet of fixed size, operations per second. */
    public static double ofFleet(LocalCluster cluster, LambdaFs client, Console console, Path tree) {
        return offer(cluster, client, console, load(cluster, client, tree, FLEET_SECONDS));
    }

    private static ReplaySettings load(LocalCluster cluster, LambdaFs client, Path tree, int seconds) {
        int smallFileBytes =
                cluster.settings(LocalCluster.StartOptions.none()).instance().smallFileLimitBytes();
        ImportSettings settings = ImportSettings.of(tree, FsPath.of("/capacity-" + seconds))
                .withMaxFiles(FILES)
                .withSmallFileBytes(smallFileBytes);
        return ReplaySettings.of(
                        NamespaceImport.run(settings, client::execute, progress -> {})
                                .tree(),
                        Workload.spotify(Duration.ofSeconds(seconds), TOO_MUCH, seconds)
                                .withBurstFactor(1))
                .withDrain(Duration.ZERO);
    }

    /** Returns the median of the last three seconds: by then instances have started, and their code is warm. */
    private static double offer(LocalCluster cluster, LambdaFs client, Console console, ReplaySettings load) {
        int deployments = cluster.settings(LocalCluster.StartOptions.none()).deployments();
        GatewayProbe probe = new GatewayProbe(cluster.gateway().client(), client, deployments, new Turnover());
        ReplayResult result = Replay.run(
                load,
                client::execute,
                probe,
                now -> console.progress(String.format(
                        Locale.ROOT,
                        "finding this machine's capacity: %,.0f ops/s with %d instances",
                        now.opsPerSecond(),
                        now.instancesByDeployment().stream()
                                .mapToInt(Integer::intValue)
                                .sum())));
        console.endProgress();
        List<SeriesPoint> series = result.series();
        double[] last = series.subList(Math.max(0, series.size() - 3), series.size()).stream()
                .mapToDouble(SeriesPoint::opsPerSecond)
                .sorted()
                .toArray();
        return last.length == 0 ? 0 : last[last.length / 2];
    }

    /** Returns the share of this machine's processors that is in use; takes half a second. */
    public static double busyShare() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system) {
            system.getCpuLoad();
            sleep(500);
            return Math.max(0, system.getCpuLoad());
        }
        return 0;
    }

    private static void sleep(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FsException(ErrorCode.INTERRUPTED, "interrupted while the machine's capacity was found", e);
        }
    }

    /**
     * Returns a base load that one instance of each deployment carries, and for the middle third of the time seven times
     * as much, which they do not.
     */
    public Workload demonstration(int seconds, long seed) {
        return Workload.spotify(Duration.ofSeconds(seconds), Math.max(LEAST_BASE, one * BASE_SHARE), seed)
                .withShape(LoadShape.STEP)
                .withWarmUp(WARM_UP);
    }

    /** Returns whether other processes need much of this machine. */
    boolean isBusy() {
        return othersShare > BUSY;
    }

    /** Returns the result for programs. */
    public ObjectNode json() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("oneInstanceOpsPerSecond", Math.round(one))
                .put("othersShare", Math.round(othersShare * 1e3) / 1e3);
    }

    /** Describes the result for people. */
    public String line() {
        String text = String.format(
                Locale.ROOT,
                "this machine's capacity: %,.0f ops/s with one instance of each deployment, within its CPU share",
                one);
        if (isBusy()) {
            text += String.format(
                    Locale.ROOT,
                    "; it is busy: others use %.0f %% of its processors, and the picture may show a queue",
                    othersShare * 100);
        }
        return text;
    }
}
