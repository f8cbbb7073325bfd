package io.lambdafs.cli.cluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.DistantCluster;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.dump.DumpBucket;
import io.lambdafs.cluster.dump.DumpFolder;
import io.lambdafs.cluster.dump.Load;
import io.lambdafs.cluster.options.BucketOptions;
import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.options.DistantOptions;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.options.StoreOptions;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Launcher;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.store.MetadataStore;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
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
            "Create a cluster's store from a dump.",
            "Starts the store alone, on the same or another engine, fills it, reads it again, compares, and "
                    + "stops it. The store must be empty. Repeat the command after an interruption. Then start the "
                    + "cluster, with the old one's blocks (--blocks) if files have any.",
            "With --store HOST:PORT --secret-file FILE, or in a client's directory, fills the store of a "
                    + "cluster elsewhere that no function uses yet (docs/OPERATIONS.md)."
        })
public final class LoadCommand implements Callable<Integer> {
    private final Console console;

    @Parameters(
            paramLabel = "DUMP",
            description =
                    "Directory that dump created, or s3://BUCKET[/PREFIX]/DUMP, which is first copied to this machine.")
    private String place = "";

    @Mixin
    private BucketOptions bucket = new BucketOptions();

    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    @Option(names = "--conf", paramLabel = "FILE", description = "JSON file with settings: any key of cluster.json.")
    private @Nullable Path file;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private DistantOptions distant = new DistantOptions();

    @Option(
            names = "--newest",
            description = "Load the newest complete dump of the folder or bucket DUMP (dump --keep).")
    private boolean newest;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "4",
            description = "Number of segments to load in parallel (default ${DEFAULT-VALUE}).")
    private int threads;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    public LoadCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        if (DumpBucket.isOne(place)) {
            return loadFromBucket();
        }
        Path source = Path.of(place);
        if (newest) {
            source = new DumpFolder(source).newest();
            console.say("loading " + source);
        }
        return load(source);
    }

    private int loadFromBucket() {
        int end = place.length() - (place.endsWith("/") ? 1 : 0);
        int slash = newest ? end : place.lastIndexOf('/', end - 1);
        String name = newest ? "" : place.substring(slash + 1, end);
        Options.check(newest || DumpFolder.isDump(name), place + " names no dump: say which one, or --newest");
        String dumps = place.substring(0, slash);
        return bucket.with(dumps, (there, scratch) -> {
            Path source = there.fetch(name, scratch);
            console.say("loading " + dumps + "/" + source.getFileName());
            return load(source);
        });
    }

    private int load(Path source) {
        ObjectNode keys = JsonNodeFactory.instance.objectNode();
        store.addTo(keys);
        boolean isOfThisMachine = store.address().isEmpty() && (file != null || !keys.isEmpty());
        Optional<DistantCluster> there =
                isOfThisMachine ? Optional.empty() : distant.find(directory, store.address(), console);
        long began = System.nanoTime();
        if (there.isPresent()) {
            Load.settings(source);
            // The engine is unknown here: use the order that suits all.
            Load.Report report = there.get().withStore(filled -> run(filled, source, Load.Comparing.AFTERWARDS));
            print(report, there.get().toString(), (System.nanoTime() - began) / 1e9);
            return ExitCode.OK.number();
        }
        LocalCluster cluster = new LocalCluster(directory.find(), console);
        Load.Report report = loadHere(cluster, source, keys);
        print(report, cluster.directory().toString(), (System.nanoTime() - began) / 1e9);
        if (!json) {
            console.say("next:  " + Launcher.startOf(cluster.directory().root()));
        }
        return ExitCode.OK.number();
    }

    private Load.Report loadHere(LocalCluster cluster, Path source, ObjectNode keys) {
        String deployments = Load.settings(source).getOrDefault("deployments", "");
        if (!deployments.isEmpty()) {
            keys.put("deployments", Integer.parseInt(deployments));
        }
        Thread interrupted = new Thread(cluster::abandon, "stop-what-was-started");
        Runtime.getRuntime().addShutdownHook(interrupted);
        LocalCluster.StartOptions options = new LocalCluster.StartOptions(file, keys);
        Load.Comparing comparing =
                Load.Comparing.of(cluster.settings(options).store().engine());
        Load.Report report = cluster.withStoreAlone(options, filled -> run(filled, source, comparing));
        Runtime.getRuntime().removeShutdownHook(interrupted);
        return report;
    }

    private Load.Report run(MetadataStore filled, Path source, Load.Comparing comparing) {
        return Load.run(
                filled, source, Math.max(1, threads), comparing, DumpCommand.progress(console, System.nanoTime()));
    }

    private void print(Load.Report report, String where, double seconds) {
        console.endProgress();
        console.print(
                json
                        ? JsonNodeFactory.instance
                                .objectNode()
                                .put("schema", 1)
                                .put("dump", report.dump())
                                .put("directory", where)
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
                                where));
    }
}
