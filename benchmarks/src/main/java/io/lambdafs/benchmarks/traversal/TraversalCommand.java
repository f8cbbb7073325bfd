package io.lambdafs.benchmarks.traversal;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.ClusterOptions;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.ReportedCommand;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lambdafs bench traversal}. */
@Command(
        name = "traversal",
        description = {
            "Measure how fast a process with a small heap reads a million small files once, in random order, "
                    + "and what its",
            "client keeps in memory. Uses the running cluster that --dir names, or starts a temporary one."
        })
public final class TraversalCommand extends ReportedCommand {
    private static final double MEGABYTE = 1048576.0;

    @Mixin
    private ClusterOptions where = new ClusterOptions();

    @Option(names = "--files", paramLabel = "N", description = "Total files (default ${DEFAULT-VALUE}).")
    private int files = 1_000_000;

    @Option(
            names = "--directories",
            paramLabel = "N",
            description = "Number of directories (default ${DEFAULT-VALUE}).")
    private int directories = 2_000;

    @Option(names = "--bytes", paramLabel = "N", description = "Bytes per file (default ${DEFAULT-VALUE}).")
    private int bytes = 1_024;

    @Option(names = "--threads", paramLabel = "N", description = "Reading threads (default ${DEFAULT-VALUE}).")
    private int threads = 32;

    @Option(
            names = "--heap",
            paramLabel = "MB",
            description = "Heap of the reading process (default ${DEFAULT-VALUE}).")
    private int heap = 64;

    @Option(names = "--seed", paramLabel = "N", description = "Random seed of the order (default ${DEFAULT-VALUE}).")
    private long seed = 1;

    public TraversalCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() throws InterruptedException {
        TraversalBench.Settings settings = new TraversalBench.Settings(files, directories, bytes, threads, heap, seed);
        return where.use(console, cluster -> run(cluster, settings));
    }

    private BenchResult run(LocalCluster cluster, TraversalBench.Settings settings) throws InterruptedException {
        List<TraversalBench.Tenth> tenths = new TraversalBench(settings, cluster, console).run();
        return new BenchResult(json(settings, tenths), text(settings, tenths));
    }

    static ObjectNode json(TraversalBench.Settings settings, List<TraversalBench.Tenth> tenths) {
        ObjectNode tree = JsonNodeFactory.instance
                .objectNode()
                .put("schema", 1)
                .put("files", settings.files())
                .put("directories", settings.directories())
                .put("bytes", settings.bytes())
                .put("threads", settings.threads())
                .put("heapMb", settings.heapMb())
                .put("seed", settings.seed());
        ArrayNode array = tree.putArray("tenths");
        for (TraversalBench.Tenth tenth : tenths) {
            array.addObject()
                    .put("files", tenth.files())
                    .put("filesPerSecond", Math.round(tenth.filesPerSecond()))
                    .put("liveHeapBytes", tenth.liveBytes());
        }
        return tree;
    }

    static String text(TraversalBench.Settings settings, List<TraversalBench.Tenth> tenths) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%,d files of %,d bytes in %,d directories, read by %d threads with a heap of %d MB; seed %d%n%12s %12s %14s",
                settings.files(),
                settings.bytes(),
                settings.directories(),
                settings.threads(),
                settings.heapMb(),
                settings.seed(),
                "files read",
                "files/s",
                "live heap, MB"));
        for (TraversalBench.Tenth tenth : tenths) {
            text.append(String.format(
                    Locale.ROOT,
                    "%n%,12d %,12.0f %14.1f",
                    tenth.files(),
                    tenth.filesPerSecond(),
                    tenth.liveBytes() / MEGABYTE));
        }
        return text.toString();
    }
}
