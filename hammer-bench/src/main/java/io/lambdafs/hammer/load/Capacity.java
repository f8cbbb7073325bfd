package io.lambdafs.hammer.load;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.cluster.GatewayClient;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.ImportSettings;
import io.lambdafs.hammer.LoadShape;
import io.lambdafs.hammer.NamespaceImport;
import io.lambdafs.hammer.Replay;
import io.lambdafs.hammer.ReplayResult;
import io.lambdafs.hammer.ReplaySettings;
import io.lambdafs.hammer.SeriesPoint;
import io.lambdafs.hammer.Workload;
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
 * @param one operations per second with one new instance of each deployment, which may take more CPU time than its
 * share
 * @param pool operations per second when fully scaled out
 * @param othersShare share of the machine's processors that other processes used while the cluster idled, 0–1
 */
public record Capacity(double one, double pool, double othersShare) {
    /**
     * The throughput of a burst, as a share of the pool's capacity: instances that join in it need the rest to load and
     * compile their code.
     */
    private static final double BURST_SHARE = 0.25;
    /** The maximum base load, as a share of the capacity of one instance per deployment. */
    private static final double BASE_SHARE = 0.5;

    private static final double BUSY = 0.25;
    private static final int FILES = 600;
    private static final double TOO_MUCH = 30_000;
    private static final int ONE_SECONDS = 2;
    private static final int POOL_SECONDS = 6;
    /** Longer than the servers' credit of CPU time beyond their share lasts, however small that share is. */
    private static final int FLEET_SECONDS = 25;

    private static final int ONE_WINDOW = 64;
    private static final long SCALE_IN_SECONDS = 20;
    /** Time that fills the caches with what the load reads. */
    private static final Duration WARM_UP = Duration.ofSeconds(4);

    /**
     * Measures the capacity, in some ten seconds; afterwards one instance of each deployment is left.
     *
     * @param others {@link #busyShare} before the cluster started, so that the cluster's own work does not count
     */
    public static Capacity find(LocalCluster cluster, LambdaFs client, Console console, Path tree, double others) {
        GatewayClient gateway = cluster.gatewayClient();
        int most = gateway.maxInstances();
        gateway.scale(1);
        double one = offer(
                cluster,
                client,
                console,
                load(cluster, client, tree, ONE_SECONDS).withWindow(ONE_WINDOW));
        gateway.scale(most);
        double pool = most == 1 ? one : offer(cluster, client, console, load(cluster, client, tree, POOL_SECONDS));
        gateway.scale(1);
        awaitScaleIn(gateway);
        gateway.scale(most);
        return new Capacity(one, pool, others);
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
        GatewayProbe probe = new GatewayProbe(cluster.gatewayClient(), client, deployments, new Turnover());
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

    private static void awaitScaleIn(GatewayClient gateway) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SCALE_IN_SECONDS);
        while (System.nanoTime() < until
                && gateway.usage().path("deployments").findValues("instances").stream()
                        .anyMatch(count -> count.asInt() > 1)) {
            sleep(200);
        }
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
     * Returns a base load that one instance of each deployment carries, with a burst that the fully scaled-out pool
     * carries: seven times as much for a sixth of the length. So the mean is twice the base, like that of the paper's
     * Pareto distribution.
     */
    public Workload demonstration(int seconds, long seed) {
        double burst = Math.max(7, pool * BURST_SHARE);
        double base = Math.max(1, Math.min(one * BASE_SHARE, burst / Workload.DEFAULT_BURST_FACTOR));
        return Workload.spotify(Duration.ofSeconds(seconds), base, seed)
                .withBurstFactor(Math.max(1.01, Math.min(100, burst / base)))
                .withShape(LoadShape.SPIKE)
                .withWarmUp(WARM_UP);
    }

    /** Returns the result for programs. */
    public ObjectNode json() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("oneInstanceOpsPerSecond", Math.round(one))
                .put("scaledOutOpsPerSecond", Math.round(pool))
                .put("othersShare", Math.round(othersShare * 1e3) / 1e3);
    }

    /** Describes the result for people. */
    public String line() {
        String text = String.format(
                Locale.ROOT,
                "this machine's capacity: %,.0f ops/s with one new instance of each deployment, which may take more than its share"
                        + " for a while, %,.0f ops/s scaled out",
                one,
                pool);
        if (othersShare > BUSY) {
            text += String.format(
                    Locale.ROOT,
                    "; it is busy: others use %.0f %% of its processors, and the picture may show a queue",
                    othersShare * 100);
        }
        return text;
    }
}
