package io.lambdafs.benchmarks.coherence;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.ReportedCommand;
import io.lambdafs.hammer.measure.Spread;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lambdafs bench coherence}. */
@Command(
        name = "coherence",
        description = {
            "What a write takes where every instance caches what it changes, beside one where none caches anything.",
            "Starts two small clusters for the time and writes to them in turns. Fails if a write did not await all others."
        })
public final class CoherenceCommand extends ReportedCommand {

    @Option(names = "--rounds", paramLabel = "N", description = "Turns of each cluster (default ${DEFAULT-VALUE}).")
    private int rounds = 10;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            description = "Turns of each cluster before, longer ones, which do not count (default ${DEFAULT-VALUE}).")
    private int warmUp = 10;

    @Option(
            names = "--writes",
            paramLabel = "N",
            description = "Writes of each kind in a turn (default ${DEFAULT-VALUE}).")
    private int writes = 400;

    @Option(
            names = "--together",
            paramLabel = "N",
            description = "Writes in flight in the second half of a turn (default ${DEFAULT-VALUE}).")
    private int together = 16;

    @Option(
            names = "--instances",
            paramLabel = "N",
            description = "Instances of each cluster, the one that writes among them (default ${DEFAULT-VALUE}).")
    private int instances = 4;

    public CoherenceCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() throws InterruptedException {
        CoherenceBench.Settings settings = new CoherenceBench.Settings(rounds, warmUp, writes, together, instances);
        CoherenceBench.Result result = new CoherenceBench(settings, console).run();
        return new BenchResult(json(settings, result), text(settings, result));
    }

    static ObjectNode json(CoherenceBench.Settings settings, CoherenceBench.Result result) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode().put("schema", 1);
        tree.put("rounds", settings.rounds())
                .put("writes", settings.writes())
                .put("instances", settings.instances())
                .put("awaited", settings.instances() - 1);
        for (int atOnce : settings.widths()) {
            for (WriteKind kind : WriteKind.values()) {
                ObjectNode lane = tree.withArray("lanes")
                        .addObject()
                        .put("write", kind.label())
                        .put("inFlight", atOnce);
                for (Side side : Side.values()) {
                    CoherenceBench.Lane key = new CoherenceBench.Lane(kind, atOnce, side);
                    ObjectNode node = lane.putObject(side.label());
                    result.of(key, Testbed.Turn::p50Micros).spread().writeTo(node.putObject("p50Micros"));
                    result.of(key, Testbed.Turn::p99Micros).spread().writeTo(node.putObject("p99Micros"));
                    result.of(key, Testbed.Turn::roundMicros).spread().writeTo(node.putObject("roundMicros"));
                }
                result.ratio(kind, atOnce, Testbed.Turn::p50Micros).spread().writeTo(lane.putObject("p50Ratio"));
                result.ratio(kind, atOnce, Testbed.Turn::p99Micros).spread().writeTo(lane.putObject("p99Ratio"));
            }
        }
        return tree;
    }

    static String text(CoherenceBench.Settings settings, CoherenceBench.Result result) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "milliseconds per write, medians of %d rounds of %d; %d instances, so that with coherence %d acknowledge each%n"
                        + "in flight, write      coherent: p50    p99 (waited)     off: p50    p99     p50, times off (least to greatest)%n",
                settings.rounds(),
                settings.writes(),
                settings.instances(),
                settings.instances() - 1));
        for (int atOnce : settings.widths()) {
            for (WriteKind kind : WriteKind.values()) {
                text.append(line(result, kind, atOnce));
            }
        }
        return text.toString().stripTrailing();
    }

    private static String line(CoherenceBench.Result result, WriteKind kind, int atOnce) {
        CoherenceBench.Lane on = new CoherenceBench.Lane(kind, atOnce, Side.COHERENT);
        CoherenceBench.Lane off = new CoherenceBench.Lane(kind, atOnce, Side.OFF);
        Spread ratio = result.ratio(kind, atOnce, Testbed.Turn::p50Micros).spread();
        return String.format(
                Locale.ROOT,
                "  %3d  %-8s %20.2f %6.2f (%.2f) %14.2f %6.2f     %s%n",
                atOnce,
                kind.label(),
                result.of(on, Testbed.Turn::p50Micros).spread().median() / 1e3,
                result.of(on, Testbed.Turn::p99Micros).spread().median() / 1e3,
                result.of(on, Testbed.Turn::roundMicros).spread().median() / 1e3,
                result.of(off, Testbed.Turn::p50Micros).spread().median() / 1e3,
                result.of(off, Testbed.Turn::p99Micros).spread().median() / 1e3,
                ratio.text(2));
    }
}
