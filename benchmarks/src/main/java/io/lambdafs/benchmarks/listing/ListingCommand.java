package io.lambdafs.benchmarks.listing;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.ClusterOptions;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.ReportedCommand;
import io.lambdafs.hammer.measure.Spread;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lambdafs bench listing}. */
@Command(
        name = "listing",
        description = {
            "Measure how fast a process with a small heap lists a large directory, and a tree.",
            "Uses the running cluster that --dir names, or starts a temporary one."
        })
public final class ListingCommand extends ReportedCommand {

    @Mixin
    private ClusterOptions where = new ClusterOptions();

    @Option(names = "--files", paramLabel = "N", description = "Files in the directory (default ${DEFAULT-VALUE}).")
    private int files = 1_000_000;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Listings by each interface (default ${DEFAULT-VALUE}).")
    private int rounds = 5;

    @Option(
            names = "--heap",
            paramLabel = "MB",
            description = "Heap of the listing process (default ${DEFAULT-VALUE}).")
    private int heap = 64;

    @Option(
            names = "--page",
            paramLabel = "N",
            description = "Entries per page of the native interface (default ${DEFAULT-VALUE}).")
    private int page = 1_000;

    public ListingCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() throws InterruptedException {
        ListingBench.Settings settings = new ListingBench.Settings(files, rounds, heap, page);
        return where.use(console, cluster -> run(cluster, settings));
    }

    private BenchResult run(LocalCluster cluster, ListingBench.Settings settings) throws InterruptedException {
        ListingBench.Result result = new ListingBench(settings, cluster, console).run();
        return new BenchResult(json(settings, result), text(settings, result));
    }

    static ObjectNode json(ListingBench.Settings settings, ListingBench.Result result) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode().put("schema", 1);
        tree.put("files", settings.files())
                .put("rounds", settings.rounds())
                .put("heapMb", settings.heapMb())
                .put("page", settings.page())
                .put("heapPeakBytes", result.heapPeak());
        write(tree.putObject("nativeEntriesPerSecond"), result.nativeRates());
        write(tree.putObject("hadoopEntriesPerSecond"), result.hadoopRates());
        write(tree.putObject("treeEntriesPerSecond"), result.treeRates());
        write(tree.putObject("treeFilesPerSecond"), result.fileRates());
        write(tree.putObject("treeAheadEntriesPerSecond"), result.aheadRates());
        tree.put("listFilesTimesFaster", Spread.of(result.timesFaster()).median());
        write(tree.putObject("treeByDirectoryEntriesPerSecond"), result.eachRates());
        return tree;
    }

    private static void write(ObjectNode tree, List<Double> rates) {
        Spread spread = Spread.of(rates);
        tree.put("least", Math.round(spread.min()))
                .put("median", Math.round(spread.median()))
                .put("greatest", Math.round(spread.max()));
    }

    static String text(ListingBench.Settings settings, ListingBench.Result result) {
        return String.format(
                Locale.ROOT,
                "%,d entries in one directory, entries per second, median of %d (least to greatest):%n%s%n%s%n"
                        + "%,d entries in a tree, 10 wide and 4 deep:%n%s%n%s%n%s%n%s%n"
                        + "  all files by listFiles in 1/%.1f of the time of one directory after the other%n"
                        + "heap of the process that listed: %,d MB at most, %.1f MB used at most",
                settings.files(),
                settings.rounds(),
                line("native", result.nativeRates()),
                line("hadoop", result.hadoopRates()),
                ListingBench.TREE_ENTRIES,
                line("as one tree", result.treeRates()),
                line("by listFiles", result.fileRates()),
                line("by ls -R", result.aheadRates()),
                line("by directory", result.eachRates()),
                Spread.of(result.timesFaster()).median(),
                settings.heapMb(),
                result.heapPeak() / 1048576.0);
    }

    private static String line(String api, List<Double> rates) {
        Spread spread = Spread.of(rates);
        return String.format(
                Locale.ROOT, "  %-12s  %,9.0f (%,.0f to %,.0f)", api, spread.median(), spread.min(), spread.max());
    }
}
