package io.lambdafs.cli.cluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.dump.Copy;
import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.options.MoveOptions;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.model.disk.Folders;
import io.lambdafs.store.MetadataStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lambdafs migrate}: moves a serving cluster's metadata to another store. */
@Command(
        name = "migrate",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Move the metadata of a serving cluster to another engine.",
            "Copies while the cluster serves; then stops it, copies the changes, compares every row, and "
                    + "starts it on the new store. If a step fails, the cluster continues with its old store, and the "
                    + "command may be repeated."
        })
public final class MigrateCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private MoveOptions target = new MoveOptions();

    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "4",
            description = "Number of segments to load in parallel (default ${DEFAULT-VALUE}).")
    private int threads;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    public MigrateCommand(Console console) {
        this.console = console;
    }

    /** Both steps, with their durations. */
    private final class Steps implements LocalCluster.MoveSteps {
        private final Path dump;
        private Copy.Pass served = new Copy.Pass(0, 0, 0);
        private Copy.Pass compared = new Copy.Pass(0, 0, 0);
        private long stoppedAt;

        Steps(Path dump) {
            this.dump = dump;
        }

        private Copy copy(MetadataStore from, MetadataStore to) {
            return new Copy(from, to, DumpCommand.progress(console, System.nanoTime()));
        }

        @Override
        public void whileServing(MetadataStore from, MetadataStore to) {
            remove(dump);
            served = copy(from, to).begin(dump, Math.max(1, threads));
            stoppedAt = System.nanoTime();
        }

        @Override
        public void whileStopped(MetadataStore from, MetadataStore to) {
            compared = copy(from, to).finish();
        }
    }

    @Override
    public Integer call() {
        LocalCluster cluster = new LocalCluster(directory.find(), console);
        Path dump = cluster.directory().root().resolve("migration");
        Steps steps = new Steps(dump);
        Thread interrupted = new Thread(cluster::abandon, "stop-what-was-started");
        Runtime.getRuntime().addShutdownHook(interrupted);
        long began = System.nanoTime();
        cluster.moveStore(target.keys(), steps);
        Runtime.getRuntime().removeShutdownHook(interrupted);
        remove(dump);
        console.endProgress();
        ObjectNode report = JsonNodeFactory.instance
                .objectNode()
                .put("schema", 1)
                .put("to", target.engine())
                .put("inodes", steps.compared.inodes())
                .put("rows", steps.compared.rows())
                .put("changedWhileCopied", steps.served.changed())
                .put("secondsStopped", seconds(steps.stoppedAt))
                .put("seconds", seconds(began));
        console.print(
                json
                        ? report.toString()
                        : String.format(
                                Locale.ROOT,
                                "moved %,d INodes (%,d rows, all compared) to %s in %.1f s, of which the cluster stood still for %.1f s",
                                steps.compared.inodes(),
                                steps.compared.rows(),
                                target.engine(),
                                seconds(began),
                                seconds(steps.stoppedAt)));
        return ExitCode.OK.number();
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    /** Removes a dump, complete or not. */
    private static void remove(Path dump) {
        try {
            Folders.delete(dump);
        } catch (IOException e) {
            throw CommandFailure.ofFile("cannot remove " + dump, e);
        }
    }
}
