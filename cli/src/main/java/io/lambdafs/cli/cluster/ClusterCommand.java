package io.lambdafs.cli.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.ClusterStatus;
import io.lambdafs.cluster.DistantCluster;
import io.lambdafs.cluster.DistantStatus;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.blocks.OperatedCluster;
import io.lambdafs.cluster.options.BlockOptions;
import io.lambdafs.cluster.options.CoordinationOptions;
import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.options.DoorOptions;
import io.lambdafs.cluster.options.JsonOption;
import io.lambdafs.cluster.options.OperatedOptions;
import io.lambdafs.cluster.options.StoreOptions;
import io.lambdafs.cluster.store.Resizing;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Launcher;
import io.lambdafs.cluster.terminal.Version;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lambdafs cluster}. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Manage a cluster on this machine; its data survives stop, start and kill -9.")
public final class ClusterCommand implements Runnable {
    private final Console console;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    public ClusterCommand(Console console) {
        this.console = console;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "cluster: start, stop, status or resize?");
    }

    @Command(
            name = "start",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = "Start every service that is down, and wait until all serve.")
    int start(@Mixin DirectoryOption directory, @Mixin SettingOptions options, @Mixin JsonOption json) {
        LocalCluster cluster = new LocalCluster(directory.find(), console);
        Thread interrupted = new Thread(cluster::abandon, "stop-what-was-started");
        Runtime.getRuntime().addShutdownHook(interrupted);
        LocalCluster.Started started = cluster.start(options.startOptions());
        Runtime.getRuntime().removeShutdownHook(interrupted);
        String where = cluster.gateway().address().map(Object::toString).orElse("?");
        if (json.wanted()) {
            return print(new ClusterStatus(cluster).json());
        }
        console.print((started == LocalCluster.Started.NOW ? "cluster started" : "cluster already runs") + " in "
                + cluster.directory() + ", gateway " + where);
        console.say("live:  " + cluster.gateway().client().dashboard());
        console.say("next:  "
                + (directory.isGiven()
                        ? Launcher.command("fs", "--dir=" + cluster.directory(), "-ls", "/")
                        : Launcher.command("fs", "-ls", "/")));
        return ExitCode.OK.number();
    }

    @Command(
            name = "stop",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = "Stop all services in order; the data stays.")
    int stop(@Mixin DirectoryOption directory) {
        LocalCluster cluster = new LocalCluster(directory.find(), console);
        boolean ran = cluster.stop();
        console.print(ran ? "cluster stopped in " + cluster.directory() : "no cluster runs in " + cluster.directory());
        return ExitCode.OK.number();
    }

    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = {"Show endpoints, instances and health.", "Exit code 3 unless everything serves."})
    int status(@Mixin OperatedOptions options, @Mixin JsonOption json) {
        OperatedCluster found = options.find(console);
        if (found instanceof DistantCluster distant) {
            DistantStatus status = new DistantStatus(options.directory(), distant);
            if (json.wanted()) {
                print(status.json());
            } else {
                console.print(status.text());
            }
            return (status.isServing() ? ExitCode.OK : ExitCode.UNREACHABLE).number();
        }
        LocalCluster cluster = (LocalCluster) found;
        if (!json.wanted()) {
            cluster.demandExists();
        }
        ClusterStatus status = new ClusterStatus(cluster);
        if (json.wanted()) {
            print(status.json());
        } else {
            console.print(status.text());
        }
        return (status.isServing() ? ExitCode.OK : ExitCode.UNREACHABLE).number();
    }

    @Command(
            name = "resize",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            sortOptions = false,
            description = {
                "Change the number of deployments while the cluster serves.",
                "Clients and instances notice by themselves; caches start empty. Repeat the command after an "
                        + "interruption."
            })
    int resize(
            @Mixin DirectoryOption directory,
            @Option(
                            names = "--deployments",
                            paramLabel = "M",
                            required = true,
                            description = "New number of deployments.")
                    int deployments,
            @Mixin JsonOption json) {
        LocalCluster cluster = new LocalCluster(directory.find(), console);
        Resizing.Result result = cluster.resize(deployments);
        if (json.wanted()) {
            return print(JsonNodeFactory.instance
                    .objectNode()
                    .put("schema", 1)
                    .put("before", result.before().deployments())
                    .put("deployments", result.after().deployments())
                    .put("generation", result.after().generation())
                    .put("changed", result.hasChanged()));
        }
        console.print(
                result.hasChanged()
                        ? "resized from " + result.before().deployments() + " to "
                                + result.after().deployments() + " deployments (generation "
                                + result.after().generation() + ")"
                        : "there are " + result.after().deployments() + " deployments already (generation "
                                + result.after().generation() + ")");
        return ExitCode.OK.number();
    }

    private int print(ObjectNode tree) {
        try {
            console.print(new com.fasterxml.jackson.databind.ObjectMapper().writeValueAsString(tree));
            return ExitCode.OK.number();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Options that override settings. */
    static final class SettingOptions {
        @Option(
                names = "--conf",
                paramLabel = "FILE",
                description = "JSON file with settings: any key of cluster.json.")
        private @Nullable Path file;

        @Option(
                names = "--deployments",
                paramLabel = "N",
                description = "Number of deployments at the first start (default 4); cluster resize changes it later.")
        private @Nullable Integer deployments;

        @Option(
                names = "--listen",
                paramLabel = "HOST",
                description = "Address the gateway listens on (default: loopback).")
        private @Nullable String listen;

        @Option(names = "--port", paramLabel = "PORT", description = "Port of the gateway (default: any free port).")
        private @Nullable Integer port;

        @Option(
                names = "--prewarm",
                paramLabel = "N",
                description = "Processes that rehearse for the next instances before a load needs them (default 1).")
        private @Nullable Integer prewarm;

        @Mixin
        private CoordinationOptions coordination = new CoordinationOptions();

        @Mixin
        private StoreOptions store = new StoreOptions();

        @Mixin
        private BlockOptions blocks = new BlockOptions();

        @Mixin
        private DoorOptions doors = new DoorOptions();

        @Option(
                names = "--insecure",
                description = "Trust every claimed identity: only for experiments on your own machines.")
        private boolean insecure;

        LocalCluster.StartOptions startOptions() {
            ObjectNode keys = JsonNodeFactory.instance.objectNode();
            if (deployments != null) {
                keys.put("deployments", deployments);
            }
            if (listen != null) {
                keys.put("listen", listen);
            }
            if (port != null) {
                keys.putObject("ports").put("gateway", port);
            }
            if (prewarm != null) {
                keys.putObject("pool").put("prewarm", prewarm);
            }
            coordination.addTo(keys);
            store.addTo(keys);
            blocks.addTo(keys);
            doors.addTo(keys);
            if (insecure) {
                keys.put("insecure", true);
            }
            return new LocalCluster.StartOptions(file, keys);
        }
    }
}
