package io.lambdafs.hammer.fleet;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.gateway.GatewayClient;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.load.Absorption;
import io.lambdafs.hammer.load.Capacity;
import io.lambdafs.hammer.load.HotPool;
import io.lambdafs.hammer.load.LoadOptions;
import io.lambdafs.hammer.load.LoadRun;
import io.lambdafs.hammer.load.Outcome;
import io.lambdafs.hammer.load.Verdict;
import io.lambdafs.hammer.report.Report;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.tree.ImportResult;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The quickstart's load on its cluster: bursts on a real tree, and the same on a fixed fleet of the same cost. Confined
 * to one thread.
 *
 * @param common settings of all clusters
 * @param options its base load applies unless a load is fitted
 * @param seed of every random choice
 * @param fit whether to fit the load to this machine's capacity
 * @param fleet whether to run the fixed fleet
 */
public record Demonstration(
        Console console, LocalCluster.StartOptions common, LoadOptions options, long seed, boolean fit, boolean fleet) {
    private static final FsPath TARGET = FsPath.of("/data");
    /** The number of operations that one instance of each deployment takes at once while its code is cold. */
    private static final int IMPORT_WINDOW = 64;

    private static final long SPARES_LIMIT_SECONDS = 40;

    /**
     * The result of λFS. Immutable.
     *
     * @param maxInstances of a deployment
     * @param capacity null if it was not measured
     * @param spares prewarmed processes that had rehearsed before the load
     */
    public record Shown(
            ClusterSettings settings,
            int maxInstances,
            @Nullable Capacity capacity,
            int spares,
            Workload workload,
            ReplayResult result) {
        Optional<Verdict> verdict() {
            return Optional.ofNullable(capacity)
                    .map(found -> Verdict.of(
                            result, workload, found, spares, settings.pool().prewarm()));
        }
    }

    /**
     * Imports the tree, replays the load, and writes the page.
     *
     * @param others {@link Capacity#busyShare} before the cluster started
     */
    public Shown onLambdaFs(TemporaryCluster temporary, double others) {
        LocalCluster cluster = temporary.cluster();
        GatewayClient gateway = cluster.gateway().client();
        int most = gateway.maxInstances();
        try (LambdaFs client = LoadRun.client(cluster)) {
            LoadRun run = new LoadRun(cluster, client, console).withReport(options.report());
            // Do not scale out: writes gain nothing from it, and the load should begin with one instance of each
            // deployment.
            gateway.scale(1);
            ImportResult imported = run.importTree(options, TARGET, IMPORT_WINDOW);
            ClusterSettings settings = cluster.settings(LocalCluster.StartOptions.none());
            int spares = HotPool.await(gateway, settings.pool().prewarm(), SPARES_LIMIT_SECONDS, console);
            Capacity capacity = fit ? Capacity.find(cluster, client, console, options.tree(), others) : null;
            gateway.scale(most);
            Workload workload = workload(capacity);
            ReplayResult result = (fleet ? run.withWatch(Duration.ZERO) : run).replay(imported, workload);
            Report.write(result, options.report());
            if (result.failed() > 0) {
                temporary.saveLogs(options.report().resolve("logs"));
                console.say("the cluster's logs are in " + options.report().resolve("logs"));
            }
            return new Shown(settings, most, capacity, spares, workload, result);
        }
    }

    /** Returns the requested load, or one that this machine can carry. */
    private Workload workload(@Nullable Capacity capacity) {
        if (capacity == null) {
            return Workload.spotify(Duration.ofSeconds(options.seconds()), options.baseOps(), seed);
        }
        console.say(capacity.line());
        return capacity.demonstration(options.seconds(), seed);
    }

    /**
     * Runs the fixed fleet, if requested, and shows everything.
     *
     * @return the exit code: λFS's operations decide; those that a fleet of the same cost does not do are part of the
     * result
     */
    public int show(Shown shown, boolean json) throws JsonProcessingException {
        FleetResult beside = beside(shown);
        ReplayResult result = shown.result();
        if (json) {
            console.print(json(shown, beside));
            return Outcome.judge(result, console);
        }
        int exit = new Outcome(result, options.report()).show(console, false);
        if (shown.capacity() != null) {
            console.print(Absorption.of(result, shown.workload()).line());
        }
        if (beside != null) {
            console.print("beside a fixed fleet of the same cost, under the same load:\n" + beside.text());
            console.print("report: " + FleetReport.write(beside, options.report()));
        }
        shown.verdict().ifPresent(verdict -> console.print(verdict.line()));
        return exit;
    }

    /** Returns null if no fixed fleet is requested, or if it could not be run. */
    private @Nullable FleetResult beside(Shown shown) {
        if (!fleet) {
            return null;
        }
        FleetRuns runs = new FleetRuns(
                console, common, options, shown.workload(), soFar -> FleetReport.write(soFar, options.report()));
        try {
            return runs.beside(shown.settings(), shown.maxInstances(), shown.result());
        } catch (FsException e) {
            console.say("the fixed fleet could not be run: " + e.getMessage());
            return null;
        }
    }

    private String json(Shown shown, @Nullable FleetResult beside) throws JsonProcessingException {
        ObjectMapper mapper = new ObjectMapper();
        Path page = Report.write(shown.result(), options.report());
        ObjectNode tree = (ObjectNode) mapper.readTree(Report.json(shown.result(), page));
        if (shown.capacity() != null) {
            tree.set("capacity", shown.capacity().json());
        }
        tree.putObject("load")
                .put("baseOps", shown.workload().baseOps())
                .put("burstFactor", shown.workload().burstFactor());
        if (shown.capacity() != null) {
            tree.set(
                    "absorption",
                    Absorption.of(shown.result(), shown.workload()).json());
        }
        shown.verdict().ifPresent(verdict -> tree.set("verdict", verdict.json()));
        if (beside != null) {
            FleetReport.write(beside, options.report());
            tree.set("fleet", beside.json());
        }
        return mapper.writeValueAsString(tree);
    }
}
