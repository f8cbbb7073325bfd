package io.lambdafs.benchmarks.inv;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.measure.ReportedCommand;
import io.lambdafs.hammer.measure.Spread;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lambdafs bench inv}. */
@Command(
        name = "inv",
        description = {
            "What a write costs by each coordinator and each channel, side by side.",
            "Starts four small clusters for the time and writes to them in turns."
        })
public final class InvCommand extends ReportedCommand {

    @Option(names = "--rounds", paramLabel = "N", description = "Turns of each cluster (default ${DEFAULT-VALUE}).")
    private int rounds = 10;

    @Option(
            names = "--writes",
            paramLabel = "N",
            description = "Writes of each kind in a turn (default ${DEFAULT-VALUE}).")
    private int writes = 64;

    public InvCommand(Console console) {
        super(console);
    }

    @Override
    protected BenchResult measure() throws InterruptedException {
        InvBench.Settings settings = new InvBench.Settings(rounds, writes);
        InvBench.Result result = new InvBench(settings, console).run();
        return new BenchResult(json(settings, result), text(settings, result));
    }

    private static ObjectNode json(InvBench.Settings settings, InvBench.Result result) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode().put("schema", 1);
        tree.put("rounds", settings.rounds()).put("writes", settings.writes()).put("together", Testbed.TOGETHER);
        for (Combination combination : Combination.values()) {
            ObjectNode node = tree.withArray("combinations")
                    .addObject()
                    .put("coordinator", combination.coordinator())
                    .put("inv", combination.inv());
            for (InvBench.Kind kind : InvBench.Kind.values()) {
                ObjectNode each = node.putObject(kind.name().toLowerCase(Locale.ROOT));
                result.of(combination, kind).spread().writeTo(each.putObject("micros"));
                result.ratio(combination, kind).spread().writeTo(each.putObject("ratio"));
            }
        }
        return tree;
    }

    private static String text(InvBench.Settings settings, InvBench.Result result) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "milliseconds per write: median of %d rounds of %d (least to greatest), times zookeeper/direct%n"
                        + "  local: no other instance is asked; remote: one is; together: %d such at once%n",
                settings.rounds(),
                settings.writes(),
                Testbed.TOGETHER));
        for (InvBench.Kind kind : InvBench.Kind.values()) {
            text.append(kind.name().toLowerCase(Locale.ROOT)).append('\n');
            for (Combination combination : Combination.values()) {
                Spread micros = result.of(combination, kind).spread();
                Spread ratio = result.ratio(combination, kind).spread();
                text.append(String.format(
                        Locale.ROOT,
                        "  %-18s %7.2f (%.2f to %.2f)   x %s%n",
                        combination.coordinator() + "/" + combination.inv(),
                        micros.median() / 1e3,
                        micros.min() / 1e3,
                        micros.max() / 1e3,
                        ratio.text(2)));
            }
        }
        return text.toString().stripTrailing();
    }
}
