package io.lambdafs.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.cluster.GatewayClient;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.options.BlockOptions;
import io.lambdafs.cluster.options.CoordinationOptions;
import io.lambdafs.cluster.options.StoreOptions;
import io.lambdafs.cluster.terminal.Browser;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.hammer.ImportResult;
import io.lambdafs.hammer.LoadShape;
import io.lambdafs.hammer.ReplayResult;
import io.lambdafs.hammer.Report;
import io.lambdafs.hammer.Workload;
import io.lambdafs.hammer.fleet.FleetReport;
import io.lambdafs.hammer.fleet.FleetResult;
import io.lambdafs.hammer.fleet.FleetRuns;
import io.lambdafs.hammer.load.Absorption;
import io.lambdafs.hammer.load.Capacity;
import io.lambdafs.hammer.load.LoadOptions;
import io.lambdafs.hammer.load.LoadRun;
import io.lambdafs.hammer.load.Outcome;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lambdafs quickstart}. */
@Command(
        name = "quickstart",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Start a cluster, import a real tree, replay bursts on it, show what happened, stop.",
            "Everything runs on this machine, in a temporary directory."
        })
public final class QuickstartCommand implements Callable<Integer> {
    private static final FsPath TARGET = FsPath.of("/data");

    /** Whether deployments may have more than one instance. */
    enum OnOff {
        ON,
        OFF
    }

    private final Console console;

    @Option(names = "--seconds", paramLabel = "S", description = "Length of each load (default ${DEFAULT-VALUE}).")
    private int seconds = 60;

    @Option(
            names = "--base-ops",
            paramLabel = "N",
            description = "Base throughput, operations per second; bursts go to 7 times it (default ${DEFAULT-VALUE}).")
    private double baseOps = 2_000;

    @Option(
            names = "--fit",
            description = {
                "Find this machine's capacity first, and offer a base load that one instance of each deployment",
                "carries, and one burst that all of them carry, instead of --base-ops."
            })
    private boolean fit;

    @Option(
            names = "--tree",
            paramLabel = "DIR",
            description = "What is imported as the namespace (default ${DEFAULT-VALUE}).")
    private Path tree = Path.of("/usr/share");

    @Option(names = "--max-files", paramLabel = "N", description = "Most files to import (default ${DEFAULT-VALUE}).")
    private int maxFiles = 20_000;

    @Option(names = "--report", paramLabel = "DIR", description = "Where report.html goes (default ${DEFAULT-VALUE}).")
    private Path report = Path.of("lambdafs-report");

    @Option(names = "--open", description = "Show the cluster's live page in the browser meanwhile.")
    private boolean open;

    @Option(names = "--keep", description = "Leave the cluster running, its live page too.")
    private boolean keep;

    @Option(names = "--deployments", paramLabel = "N", description = "Number of deployments (default 4).")
    private @Nullable Integer deployments;

    @Option(names = "--max-instances", paramLabel = "N", description = "Most instances of a deployment (default 4).")
    private @Nullable Integer maxInstances;

    @Option(
            names = "--fleet",
            paramLabel = "on|off",
            description = "on: the same load on a fixed fleet of the same cost, too, and both side by side.")
    private OnOff fleet = OnOff.OFF;

    @Option(names = "--scaling", paramLabel = "on|off", description = "off: one instance per deployment.")
    private OnOff scaling = OnOff.ON;

    @Mixin
    private CoordinationOptions coordination = new CoordinationOptions();

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private BlockOptions blocks = new BlockOptions();

    @Option(names = "--conf", paramLabel = "FILE", description = "JSON with settings of the cluster.")
    private @Nullable Path conf;

    @Option(names = "--seed", paramLabel = "N", description = "Of every random choice (default ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--json", description = "Print one JSON object instead of the table.")
    private boolean json;

    public QuickstartCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws JsonProcessingException {
        LoadOptions options = new LoadOptions(tree, maxFiles, seconds, baseOps, report);
        console.say(String.format(
                java.util.Locale.ROOT,
                "λFS %s: starting a cluster (%d processors, Java %s)",
                Version.own(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.version")));
        Workload workload;
        ReplayResult result;
        FleetResult beside;
        try (TemporaryCluster temporary = TemporaryCluster.start(startOptions(), console)) {
            URI page = temporary.cluster().gatewayClient().dashboard();
            console.say("live:  " + page);
            if (open && !Browser.open(page)) {
                console.say("no browser could be opened: open that address in one");
            }
            try (LambdaFs client = LoadRun.client(temporary.cluster())) {
                LoadRun run = new LoadRun(temporary.cluster(), client, console);
                ImportResult imported = importAtOneInstance(temporary.cluster(), run, options);
                workload = workload(temporary.cluster(), client);
                result = run.replay(imported, workload);
            }
            if (result.failed() > 0) {
                temporary.saveLogs(report.resolve("logs"));
                console.say("the cluster's logs are in " + report.resolve("logs"));
            }
            if (keep) {
                temporary.keep();
                console.say("the cluster runs on:  lambdafs fs --dir "
                        + temporary.cluster().directory() + " -ls /");
                console.say("stop it with:         lambdafs cluster stop --dir "
                        + temporary.cluster().directory());
            }
            beside = beside(temporary.cluster(), options, workload, result);
        }
        int exit = show(result, beside);
        if (!json && workload.shape() == LoadShape.SPIKE) {
            console.print(Absorption.of(result, workload).line());
        }
        return exit;
    }

    /** What was asked for, or what this machine can carry. */
    private Workload workload(LocalCluster cluster, LambdaFs client) {
        if (!fit) {
            return Workload.spotify(Duration.ofSeconds(seconds), baseOps, seed);
        }
        Capacity capacity = Capacity.find(cluster, client, console, tree);
        console.say(capacity.line());
        return capacity.demonstration(seconds, seed);
    }

    private LocalCluster.StartOptions startOptions() {
        ObjectNode keys = JsonNodeFactory.instance.objectNode();
        if (deployments != null) {
            keys.put("deployments", deployments);
        }
        if (scaling == OnOff.OFF) {
            keys.putObject("pool").put("maxInstances", 1);
        } else if (maxInstances != null) {
            keys.putObject("pool").put("maxInstances", maxInstances);
        }
        coordination.addTo(keys);
        store.addTo(keys);
        blocks.addTo(keys);
        return new LocalCluster.StartOptions(conf, keys);
    }

    /** Without scaling out, for writes do not gain by it, and the load is to begin with one instance of each deployment. */
    private ImportResult importAtOneInstance(LocalCluster cluster, LoadRun run, LoadOptions options) {
        GatewayClient gateway = cluster.gatewayClient();
        int most = gateway.maxInstances();
        gateway.scale(1);
        ImportResult imported = run.importTree(options, TARGET);
        gateway.scale(most);
        return imported;
    }

    /** The same load on a fixed fleet of the same cost; null if none is asked for, or it could not be run. */
    private @Nullable FleetResult beside(
            LocalCluster cluster, LoadOptions options, Workload workload, ReplayResult result) {
        if (fleet == OnOff.OFF) {
            return null;
        }
        int most = cluster.gatewayClient().maxInstances();
        try {
            return new FleetRuns(console, conf, options, workload).beside(cluster, most, result);
        } catch (FsException e) {
            console.say("the fixed fleet could not be run: " + e.getMessage());
            return null;
        }
    }

    /** λFS's operations decide about success: what a fleet of the same cost does not do is what is shown. */
    private int show(ReplayResult result, @Nullable FleetResult beside) throws JsonProcessingException {
        if (beside == null) {
            return new Outcome(result, report).show(console, json);
        }
        Path page = FleetReport.write(beside, report);
        if (!json) {
            int exit = new Outcome(result, report).show(console, false);
            console.print("beside a fixed fleet of the same cost, under the same load:\n" + beside.text());
            console.print("report: " + page);
            return exit;
        }
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode tree = (ObjectNode) mapper.readTree(Report.json(result, Report.write(result, report)));
        tree.set("fleet", beside.json());
        console.print(mapper.writeValueAsString(tree));
        return Outcome.judge(result, console);
    }
}
