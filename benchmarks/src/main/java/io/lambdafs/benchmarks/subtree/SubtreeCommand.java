package io.lambdafs.benchmarks.subtree;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.ClusterOptions;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.ReportedCommand;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lambdafs bench subtree}. */
@Command(
        name = "subtree",
        description = {
            "Measure mv of a large directory and of a small one, alternating, beside readers; then rm -r of " + "both,",
            "and how fast their rows are reclaimed. Uses the running cluster that --dir names, or starts a "
                    + "temporary one."
        })
public final class SubtreeCommand extends ReportedCommand {

    @Mixin
    private ClusterOptions where = new ClusterOptions();

    @Option(
            names = "--files",
            paramLabel = "N",
            description = "Files in the large directory (default ${DEFAULT-VALUE}).")
    private int files = 100_000;

    @Option(
            names = "--small",
            paramLabel = "N",
            description = "Files in the small directory (default ${DEFAULT-VALUE}).")
    private int small = 10;

    @Option(names = "--alternations", paramLabel = "N", description = "Moves of each (default ${DEFAULT-VALUE}).")
    private int alternations = 20;

    @Option(names = "--readers", paramLabel = "N", description = "Concurrent readers (default ${DEFAULT-VALUE}).")
    private int readers = 8;

    public SubtreeCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() throws InterruptedException {
        SubtreeBench.Settings settings = new SubtreeBench.Settings(files, small, alternations, readers);
        return where.use(console, cluster -> run(cluster, settings));
    }

    private BenchResult run(LocalCluster cluster, SubtreeBench.Settings settings) throws InterruptedException {
        ClientConfig config = ClientConfig.load(cluster.directory().client());
        SubtreeBench.Result result;
        try (LambdaFs client = LambdaFs.open(config)) {
            result = new SubtreeBench(settings, client, cluster.gateway().client(), console).run();
        }
        return new BenchResult(
                json(settings, result),
                text(settings, result),
                result.torn().stream()
                        .limit(1)
                        .map(each -> "readers saw a directory at both names or at neither: " + each)
                        .toList());
    }

    static ObjectNode json(SubtreeBench.Settings settings, SubtreeBench.Result result) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode().put("schema", 1);
        tree.put("files", settings.files()).put("small", settings.small()).put("alternations", settings.alternations());
        tree.put("largeMedianMicros", result.largeMedianMicros());
        tree.put("smallMedianMicros", result.smallMedianMicros());
        tree.put("ratio", Math.round(result.ratio() * 1000) / 1000.0);
        tree.put("instances", result.instances());
        tree.put("leastCachedDescendants", result.leastCached());
        tree.put("reads", result.reads()).put("torn", result.torn().size());
        write(tree.putObject("largeRemoval"), result.largeRemoval());
        write(tree.putObject("smallRemoval"), result.smallRemoval());
        return tree;
    }

    private static void write(ObjectNode tree, SubtreeBench.Removal removal) {
        tree.put("micros", removal.micros())
                .put("rows", removal.rows())
                .put("reclaimSeconds", Math.round(removal.reclaimSeconds() * 1000) / 1000.0);
    }

    static String text(SubtreeBench.Settings settings, SubtreeBench.Result result) {
        return String.format(
                Locale.ROOT,
                """
                mv of a directory, median of %d, readers running, %d instances that each cached at least %,d descendants:
                  %,9d files  %8.2f ms
                  %,9d files  %8.2f ms
                  ratio %.2f
                %,d reads; a directory was seen at both names or at neither %d times
                rm -r, invisible after:
                  %,9d files  %8.2f ms; %,d rows reclaimed in %.2f s: %,.0f a second
                  %,9d files  %8.2f ms""",
                settings.alternations(),
                result.instances(),
                result.leastCached(),
                settings.files(),
                result.largeMedianMicros() / 1e3,
                settings.small(),
                result.smallMedianMicros() / 1e3,
                result.ratio(),
                result.reads(),
                result.torn().size(),
                settings.files(),
                result.largeRemoval().micros() / 1e3,
                result.largeRemoval().rows(),
                result.largeRemoval().reclaimSeconds(),
                result.largeRemoval().rowsPerSecond(),
                settings.small(),
                result.smallRemoval().micros() / 1e3);
    }
}
