package io.lambdafs.hammer.fleet;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.cluster.ClusterSettings;
import io.lambdafs.cluster.GatewayClient;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.ImportResult;
import io.lambdafs.hammer.ReplayResult;
import io.lambdafs.hammer.Report;
import io.lambdafs.hammer.Workload;
import io.lambdafs.hammer.load.Absorption;
import io.lambdafs.hammer.load.Capacity;
import io.lambdafs.hammer.load.LoadOptions;
import io.lambdafs.hammer.load.LoadRun;
import io.lambdafs.hammer.load.Outcome;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the quickstart does with its cluster: bursts on a real tree, and the same on a fixed fleet of the same cost. Confined to one thread.
 *
 * @param common settings of all clusters
 * @param options its base load counts where none is to be found
 * @param seed of every random choice
 * @param fit whether the load is what this machine can carry
 * @param fleet whether the fixed fleet is run
 */
public record Demonstration(
        Console console, LocalCluster.StartOptions common, LoadOptions options, long seed, boolean fit, boolean fleet) {
    private static final FsPath TARGET = FsPath.of("/data");
    /** As many as one instance of each deployment takes at once while its code is cold. */
    private static final int IMPORT_WINDOW = 64;

    /**
     * What λFS did. Immutable.
     *
     * @param maxInstances of a deployment
     * @param capacity null where it was not asked for
     */
    public record Shown(
            ClusterSettings settings,
            int maxInstances,
            @Nullable Capacity capacity,
            Workload workload,
            ReplayResult result) {}

    /**
     * Imports the tree, replays the load, and writes the page.
     *
     * @param others {@link Capacity#busyShare} before the cluster was started
     */
    public Shown onLambdaFs(TemporaryCluster temporary, double others) {
        LocalCluster cluster = temporary.cluster();
        GatewayClient gateway = cluster.gatewayClient();
        int most = gateway.maxInstances();
        try (LambdaFs client = LoadRun.client(cluster)) {
            LoadRun run = new LoadRun(cluster, client, console).withReport(options.report());
            // Without scaling out, for writes do not gain by it, and the load is to begin with one instance of each
            // deployment.
            gateway.scale(1);
            ImportResult imported = run.importTree(options, TARGET, IMPORT_WINDOW);
            gateway.scale(most);
            Capacity capacity = fit ? Capacity.find(cluster, client, console, options.tree(), others) : null;
            Workload workload = workload(capacity);
            ReplayResult result = (fleet ? run.withWatch(Duration.ZERO) : run).replay(imported, workload);
            Report.write(result, options.report());
            if (result.failed() > 0) {
                temporary.saveLogs(options.report().resolve("logs"));
                console.say("the cluster's logs are in " + options.report().resolve("logs"));
            }
            ClusterSettings settings = cluster.settings(LocalCluster.StartOptions.none());
            return new Shown(settings, most, capacity, workload, result);
        }
    }

    /** What was asked for, or what this machine can carry. */
    private Workload workload(@Nullable Capacity capacity) {
        if (capacity == null) {
            return Workload.spotify(Duration.ofSeconds(options.seconds()), options.baseOps(), seed);
        }
        console.say(capacity.line());
        return capacity.demonstration(options.seconds(), seed);
    }

    /**
     * Runs the fixed fleet, if it is asked for, and shows all.
     *
     * @return the exit code: λFS's operations decide; what a fleet of the same cost does not do is what is shown
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
        return exit;
    }

    /** Null if none is asked for, or it could not be run. */
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
        if (beside != null) {
            FleetReport.write(beside, options.report());
            tree.set("fleet", beside.json());
        }
        return mapper.writeValueAsString(tree);
    }
}
