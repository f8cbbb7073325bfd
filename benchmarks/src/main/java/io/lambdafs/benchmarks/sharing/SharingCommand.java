package io.lambdafs.benchmarks.sharing;

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

/** {@code lambdafs bench sharing}. */
@Command(
        name = "sharing",
        description = {
            "What it buys that short processes share the connections of one that stays: turns without and with it.",
            "Uses the running cluster that --dir names, or starts one for the time."
        })
public final class SharingCommand extends ReportedCommand {

    @Mixin
    private ClusterOptions where = new ClusterOptions();

    @Option(names = "--processes", paramLabel = "N", description = "Processes of a turn (default ${DEFAULT-VALUE}).")
    private int processes = 20;

    @Option(names = "--parallel", paramLabel = "N", description = "Of them at a time (default ${DEFAULT-VALUE}).")
    private int parallel = 2;

    @Option(
            names = "--operations",
            paramLabel = "N",
            description = "Stats that each makes, one after the other (default ${DEFAULT-VALUE}).")
    private int operations = 20;

    @Option(names = "--rounds", paramLabel = "N", description = "Turns without and with it (default ${DEFAULT-VALUE}).")
    private int rounds = 5;

    public SharingCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() throws InterruptedException {
        SharingBench.Settings settings = new SharingBench.Settings(processes, parallel, operations, rounds);
        return where.use(console, cluster -> run(cluster, settings));
    }

    private BenchResult run(LocalCluster cluster, SharingBench.Settings settings) throws InterruptedException {
        SharingBench.Result result = new SharingBench(settings, cluster, console).run();
        return new BenchResult(json(settings, result), text(settings, result));
    }

    static ObjectNode json(SharingBench.Settings settings, SharingBench.Result result) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode().put("schema", 1);
        tree.put("processes", settings.processes())
                .put("parallel", settings.parallel())
                .put("operations", settings.operations())
                .put("rounds", settings.rounds());
        write(tree.putObject("without"), result.without());
        write(tree.putObject("with"), result.with());
        return tree;
    }

    private static void write(ObjectNode tree, List<Task> tasks) {
        write(tree.putObject("firstReplyMicros"), spread(tasks, Task::firstMicros));
        write(tree.putObject("allRepliesMicros"), spread(tasks, Task::allMicros));
        write(tree.putObject("processMillis"), spread(tasks, Task::processMillis));
        tree.put("httpCallsPerProcess", mean(tasks, Task::http));
        tree.put("connectionsPerProcess", mean(tasks, Task::connections));
    }

    private static void write(ObjectNode tree, Spread spread) {
        tree.put("least", Math.round(spread.min()))
                .put("median", Math.round(spread.median()))
                .put("p90", Math.round(spread.p90()))
                .put("greatest", Math.round(spread.max()));
    }

    private static Spread spread(List<Task> tasks, ToLongFunction<Task> value) {
        return Spread.of(
                tasks.stream().map(task -> (double) value.applyAsLong(task)).toList());
    }

    private static double mean(List<Task> tasks, ToLongFunction<Task> value) {
        return spread(tasks, value).mean();
    }

    static String text(SharingBench.Settings settings, SharingBench.Result result) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%,d processes of %,d stats each, %d at a time, %d turns without and with sharing; median (90th percentile):",
                settings.processes(),
                settings.operations(),
                settings.parallel(),
                settings.rounds()));
        line(text, "", "without", "with");
        line(
                text,
                "first reply, ms",
                millis(result.without(), Task::firstMicros),
                millis(result.with(), Task::firstMicros));
        line(
                text,
                "all replies, ms",
                millis(result.without(), Task::allMicros),
                millis(result.with(), Task::allMicros));
        line(text, "process, ms", whole(result.without()), whole(result.with()));
        line(text, "HTTP calls per process", decimal(result.without(), Task::http), decimal(result.with(), Task::http));
        line(
                text,
                "connections per process",
                decimal(result.without(), Task::connections),
                decimal(result.with(), Task::connections));
        return text.toString();
    }

    private static void line(StringBuilder text, String what, String without, String with) {
        text.append(String.format(Locale.ROOT, "%n  %-24s %20s %20s", what, without, with));
    }

    private static String millis(List<Task> tasks, ToLongFunction<Task> micros) {
        Spread spread = spread(tasks, micros);
        return String.format(Locale.ROOT, "%.1f (%.1f)", spread.median() / 1_000, spread.p90() / 1_000);
    }

    private static String whole(List<Task> tasks) {
        Spread spread = spread(tasks, Task::processMillis);
        return String.format(Locale.ROOT, "%.0f (%.0f)", spread.median(), spread.p90());
    }

    private static String decimal(List<Task> tasks, ToLongFunction<Task> value) {
        return String.format(Locale.ROOT, "%.2f", mean(tasks, value));
    }
}
