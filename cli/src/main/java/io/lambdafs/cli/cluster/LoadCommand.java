package io.lambdafs.cli.cluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.dump.Load;
import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.options.StoreOptions;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Launcher;
import io.lambdafs.cluster.terminal.Version;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lambdafs load}: loads a dump as the metadata of a new cluster. */
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Make a cluster of a dump: its store, of the same or another engine, is started alone, filled, read again and compared, and stopped.",
            "Into an empty store only. What was interrupted is repeated by the same command. Start the cluster afterwards, with the blocks of the"
                    + " old one (--blocks) where files have some."
        })
public final class LoadCommand implements Callable<Integer> {
    private final Console console;

    @Parameters(paramLabel = "DUMP", description = "The directory that dump has made.")
    private Path source = Path.of("");

    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    @Option(names = "--conf", paramLabel = "FILE", description = "JSON with settings; any key of cluster.json.")
    private @Nullable Path file;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "4",
            description = "Segments loaded at once (default ${DEFAULT-VALUE}).")
    private int threads;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    public LoadCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        ObjectNode keys = JsonNodeFactory.instance.objectNode();
        String deployments = Load.settings(source).getOrDefault("deployments", "");
        if (!deployments.isEmpty()) {
            keys.put("deployments", Integer.parseInt(deployments));
        }
        store.addTo(keys);
        LocalCluster cluster = new LocalCluster(directory.find(), console);
        Thread interrupted = new Thread(cluster::abandon, "stop-what-was-started");
        Runtime.getRuntime().addShutdownHook(interrupted);
        long began = System.nanoTime();
        LocalCluster.StartOptions options = new LocalCluster.StartOptions(file, keys);
        Load.Comparing comparing =
                Load.Comparing.of(cluster.settings(options).store().engine());
        Load.Report report = cluster.withStoreAlone(
                options,
                filled -> Load.run(
                        filled,
                        source,
                        Math.max(1, threads),
                        comparing,
                        DumpCommand.progress(console, System.nanoTime())));
        Runtime.getRuntime().removeShutdownHook(interrupted);
        double seconds = (System.nanoTime() - began) / 1e9;
        console.endProgress();
        console.print(
                json
                        ? JsonNodeFactory.instance
                                .objectNode()
                                .put("schema", 1)
                                .put("dump", report.dump())
                                .put("directory", cluster.directory().toString())
                                .put("inodes", report.inodes())
                                .put("rows", report.rows())
                                .put("bytes", report.bytes())
                                .put("seconds", seconds)
                                .toString()
                        : String.format(
                                Locale.ROOT,
                                "loaded and verified %,d INodes (%,d rows, %,d bytes) in %.1f s into %s",
                                report.inodes(),
                                report.rows(),
                                report.bytes(),
                                seconds,
                                cluster.directory()));
        if (!json) {
            console.say("next:  " + Launcher.startOf(cluster.directory().root()));
        }
        return ExitCode.OK.number();
    }
}
