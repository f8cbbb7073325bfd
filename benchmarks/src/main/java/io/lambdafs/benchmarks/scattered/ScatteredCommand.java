package io.lambdafs.benchmarks.scattered;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.Folders;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.ReportedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lambdafs bench scattered}. */
@Command(
        name = "scattered",
        description = {
            "Measure how the embedded store keeps its pace while the namespace grows: files created in many "
                    + "random directories.",
            "Runs on its own store, in this process; reports creates per second, and the time to open the "
                    + "store, for each part."
        })
public final class ScatteredCommand extends ReportedCommand {
    @Option(names = "--inodes", paramLabel = "N", description = "Files at the end (default ${DEFAULT-VALUE}).")
    private long inodes = 1_000_000;

    @Option(
            names = "--directories",
            paramLabel = "N",
            description = "Number of directories (default ${DEFAULT-VALUE}).")
    private int directories = 2_000;

    @Option(names = "--window", paramLabel = "N", description = "Concurrent creates (default ${DEFAULT-VALUE}).")
    private int window = 256;

    @Option(names = "--steps", paramLabel = "N", description = "Number of timed parts (default ${DEFAULT-VALUE}).")
    private int steps = 10;

    @Option(names = "--no-fsync", description = "Skip fsync.")
    private boolean noFsync;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Random seed of directories and names (default ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--data", paramLabel = "DIR", description = "Directory of the store (default: a temporary one).")
    private @Nullable Path data;

    public ScatteredCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() throws InterruptedException, IOException {
        if (inodes < steps || steps < 2 || directories < 1 || window < 1) {
            throw new IllegalArgumentException(
                    "at least 2 steps, 1 directory, 1 create at once, and a file for each step");
        }
        Path folder = data == null
                ? Files.createTempDirectory("lambdafs-scattered-")
                : Files.createTempDirectory(Files.createDirectories(data), "lambdafs-scattered-");
        try {
            ScatteredBench bench =
                    new ScatteredBench(new ScatteredBench.Settings(inodes, directories, window, steps, !noFsync, seed));
            List<ScatteredBench.Step> all = bench.run(
                    folder.resolve("store"),
                    step -> console.progress(String.format(
                            Locale.ROOT, "  %,d INodes, %,.0f creates/s", step.inodes(), step.perSecond())));
            return new BenchResult(json(all), text(all));
        } finally {
            Folders.remove(folder, console);
        }
    }

    private ObjectNode json(List<ScatteredBench.Step> all) {
        ObjectNode tree = JsonNodeFactory.instance
                .objectNode()
                .put("schema", 1)
                .put("directories", directories)
                .put("window", window)
                .put("fsync", !noFsync)
                .put("seed", seed)
                .put("lastToBest", ratio(all));
        for (ScatteredBench.Step each : all) {
            tree.withArray("steps")
                    .addObject()
                    .put("inodes", each.inodes())
                    .put("createsPerSecond", each.perSecond())
                    .put("startMillis", each.startMillis());
        }
        return tree;
    }

    /** The first part may be slow, as its code is not compiled yet. */
    private static double ratio(List<ScatteredBench.Step> all) {
        double best =
                all.stream().mapToDouble(ScatteredBench.Step::perSecond).max().orElseThrow();
        return all.get(all.size() - 1).perSecond() / best;
    }

    private String text(List<ScatteredBench.Step> all) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "creates in %,d directories, %d at once%s; then a start of the store%n",
                directories,
                window,
                noFsync ? ", without fsync" : ""));
        for (ScatteredBench.Step each : all) {
            text.append(String.format(
                    Locale.ROOT,
                    "  %,13d INodes %,10.0f creates/s %8.0f ms%n",
                    each.inodes(),
                    each.perSecond(),
                    each.startMillis()));
        }
        return text.append(String.format(Locale.ROOT, "the last part to the fastest one: %.2f", ratio(all)))
                .toString();
    }
}
