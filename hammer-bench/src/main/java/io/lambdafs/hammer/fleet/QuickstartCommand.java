package io.lambdafs.hammer.fleet;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.options.BlockOptions;
import io.lambdafs.cluster.options.CoordinationOptions;
import io.lambdafs.cluster.options.StoreOptions;
import io.lambdafs.cluster.terminal.Browser;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.hammer.load.Capacity;
import io.lambdafs.hammer.load.LoadOptions;
import java.net.URI;
import java.nio.file.Path;
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
            "Start a cluster, replay bursts on it, report, and stop.",
            "Imports a real tree. Everything runs on this machine, in a temporary directory."
        })
public final class QuickstartCommand implements Callable<Integer> {
    /** A valid placeholder, which is not used. */
    private static final double FOUND_LATER = 1;

    /** Processes that have rehearsed before the burst. */
    private static final int PREWARM = 8;
    /** So short that instances which the burst needed go before the end. */
    private static final long KEEP_ALIVE_MILLIS = 5_000;

    /** An on/off option. */
    enum OnOff {
        ON,
        OFF
    }

    private final Console console;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Length of each load in seconds (default ${DEFAULT-VALUE}).")
    private int seconds = 30;

    @Option(
            names = "--base-ops",
            paramLabel = "N",
            description = {
                "Base load in operations per second; bursts reach 7 times that (default: measured first, so that "
                        + "one instance",
                "of each deployment carries the base load, and not the burst, a third of the time)."
            })
    private @Nullable Double baseOps;

    @Option(
            names = "--tree",
            paramLabel = "DIR",
            description = "Local tree to import as the namespace (default ${DEFAULT-VALUE}).")
    private Path tree = Path.of("/usr/share");

    @Option(
            names = "--max-files",
            paramLabel = "N",
            description = "Maximum number of files to import (default ${DEFAULT-VALUE}).")
    private int maxFiles = 5_000;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Directory for report.html (default ${DEFAULT-VALUE}).")
    private Path report = Path.of("lambdafs-report");

    @Option(names = "--open", description = "Open the cluster's live page in the browser.")
    private boolean open;

    @Option(names = "--keep", description = "Keep the cluster and its live page running.")
    private boolean keep;

    @Option(names = "--deployments", paramLabel = "N", description = "Number of deployments (default 4).")
    private @Nullable Integer deployments;

    @Option(
            names = "--max-instances",
            paramLabel = "N",
            description = "Maximum number of instances of a deployment (default 4).")
    private @Nullable Integer maxInstances;

    @Option(
            names = "--fleet",
            paramLabel = "on|off",
            description = "off: skip the same load on a fixed fleet of the same cost.")
    private OnOff fleet = OnOff.ON;

    @Option(names = "--scaling", paramLabel = "on|off", description = "off: run one instance per deployment.")
    private OnOff scaling = OnOff.ON;

    @Mixin
    private CoordinationOptions coordination = new CoordinationOptions();

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private BlockOptions blocks = new BlockOptions();

    @Option(names = "--conf", paramLabel = "FILE", description = "JSON file with settings of the cluster.")
    private @Nullable Path conf;

    @Option(names = "--seed", paramLabel = "N", description = "Random seed (default ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--json", description = "Print one JSON object instead of the table.")
    private boolean json;

    public QuickstartCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws JsonProcessingException {
        double base = baseOps == null ? FOUND_LATER : baseOps;
        LoadOptions options = new LoadOptions(tree, maxFiles, seconds, base, report);
        console.say(String.format(
                java.util.Locale.ROOT,
                "λFS %s: starting a cluster (%d processors, Java %s)",
                Version.own(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.version")));
        LocalCluster.StartOptions common = common();
        Demonstration demonstration =
                new Demonstration(console, common, options, seed, baseOps == null, fleet == OnOff.ON);
        double others = baseOps == null ? Capacity.busyShare() : 0;
        Demonstration.Shown shown;
        try (TemporaryCluster temporary = TemporaryCluster.start(common.with(sizes()), console)) {
            URI page = temporary.cluster().gateway().client().dashboard();
            console.say("live:  " + page);
            if (open && !Browser.open(page)) {
                console.say("no browser could be opened: open that address in one");
            }
            shown = demonstration.onLambdaFs(temporary, others);
            if (keep) {
                temporary.keep();
                console.say("the cluster runs on:  lambdafs fs --dir "
                        + temporary.cluster().directory() + " -ls /");
                console.say("stop it with:         lambdafs cluster stop --dir "
                        + temporary.cluster().directory());
            }
        }
        return demonstration.show(shown, json);
    }

    /** Settings of λFS's cluster and of the fleet's. */
    private LocalCluster.StartOptions common() {
        ObjectNode keys = JsonNodeFactory.instance.objectNode();
        coordination.addTo(keys);
        store.addTo(keys);
        blocks.addTo(keys);
        if (!keep && conf == null) {
            // The cluster does not live long enough for the second compiler to pay off.
            keys.withObject("store").put("compilers", "first");
        }
        return new LocalCluster.StartOptions(conf, keys);
    }

    /** Settings of λFS's cluster alone: a fleet's size follows from its cost. */
    private ObjectNode sizes() {
        ObjectNode keys = JsonNodeFactory.instance.objectNode();
        if (conf == null) {
            keys.putObject("pool").put("prewarm", PREWARM).put("keepAliveMillis", KEEP_ALIVE_MILLIS);
        }
        if (deployments != null) {
            keys.put("deployments", deployments);
        }
        if (scaling == OnOff.OFF) {
            keys.withObject("pool").put("maxInstances", 1).put("prewarm", 0);
        } else if (maxInstances != null) {
            keys.withObject("pool").put("maxInstances", maxInstances);
        }
        return keys;
    }
}
