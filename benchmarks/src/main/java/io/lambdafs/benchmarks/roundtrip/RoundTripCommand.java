package io.lambdafs.benchmarks.roundtrip;

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
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lambdafs bench roundtrip}. */
@Command(
        name = "roundtrip",
        description = {
            "A blocking stat that is answered from a cache, in turns with a bare exchange of as many bytes over Netty.",
            "Uses the running cluster that --dir names, or starts one for the time."
        })
public final class RoundTripCommand extends ReportedCommand {

    @Mixin
    private ClusterOptions where = new ClusterOptions();

    @Option(names = "--rounds", paramLabel = "N", description = "Turns of each (default ${DEFAULT-VALUE}).")
    private int rounds = 10;

    @Option(names = "--seconds", paramLabel = "S", description = "Length of a turn (default ${DEFAULT-VALUE}).")
    private double seconds = 2;

    public RoundTripCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() throws InterruptedException {
        RoundTripBench.Settings settings = new RoundTripBench.Settings(rounds, seconds);
        return where.use(console, cluster -> run(cluster, settings));
    }

    private BenchResult run(LocalCluster cluster, RoundTripBench.Settings settings) throws InterruptedException {
        RoundTripBench.Result result = new RoundTripBench(settings, cluster, console).run();
        return new BenchResult(json(settings, result), text(settings, result));
    }

    static ObjectNode json(RoundTripBench.Settings settings, RoundTripBench.Result result) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode().put("schema", 1);
        tree.put("rounds", settings.rounds()).put("seconds", settings.seconds());
        write(tree.putObject("statMicros"), result.stats());
        write(tree.putObject("bareMicros"), result.bare());
        Spread.of(result.ratios()).writeTo(tree.putObject("ratio"));
        return tree;
    }

    private static void write(ObjectNode tree, List<RoundTripBench.Turn> turns) {
        tree.put("p50", rounded(median(turns, RoundTripBench.Turn::median)))
                .put("p99", rounded(median(turns, RoundTripBench.Turn::p99)))
                .put(
                        "calls",
                        turns.stream().mapToLong(RoundTripBench.Turn::calls).sum());
    }

    private static double median(List<RoundTripBench.Turn> turns, ToLongFunction<RoundTripBench.Turn> nanos) {
        return Spread.of(turns.stream()
                        .map(turn -> nanos.applyAsLong(turn) / 1e3)
                        .toList())
                .median();
    }

    private static double rounded(double value) {
        return Math.round(value * 1_000) / 1_000.0;
    }

    static String text(RoundTripBench.Settings settings, RoundTripBench.Result result) {
        Spread ratio = Spread.of(result.ratios());
        return String.format(
                Locale.ROOT,
                "microseconds per call, one caller, medians of %d turns of %.1f s:%n%s%n%s%n"
                        + "p50 of the stat, times that of the bare exchange, round by round: %s",
                settings.rounds(),
                settings.seconds(),
                line("stat from a cache", result.stats()),
                line("bare exchange", result.bare()),
                ratio.text(2));
    }

    private static String line(String what, List<RoundTripBench.Turn> turns) {
        return String.format(
                Locale.ROOT,
                "  %-18s p50 %7.1f   p99 %8.1f",
                what,
                median(turns, RoundTripBench.Turn::median),
                median(turns, RoundTripBench.Turn::p99));
    }
}
