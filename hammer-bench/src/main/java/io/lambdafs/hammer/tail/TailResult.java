package io.lambdafs.hammer.tail;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.hammer.measure.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Turns without and with a measure, in the order taken. Immutable. */
record TailResult(TailSettings settings, List<Turn> turns) {
    private static final double MILLI = 1e3;

    TailResult {
        turns = List.copyOf(turns);
    }

    long failed() {
        return turns.stream().mapToLong(turn -> turn.outcome().failed()).sum();
    }

    ObjectNode json() {
        ObjectNode tree = JsonNodeFactory.instance
                .objectNode()
                .put("schema", 1)
                .put("what", settings.measure().label())
                .put("rounds", settings.rounds())
                .put("seconds", settings.seconds())
                .put("window", settings.window())
                .put("ops", settings.ops())
                .put("everyMillis", settings.everyMillis())
                .put("stopMillis", settings.stopMillis())
                .put("seed", settings.seed())
                .put("processors", Runtime.getRuntime().availableProcessors())
                .put("failed", failed());
        turns.forEach(turn -> turn.json(tree.withArray("turns").addObject()));
        return tree;
    }

    private Spread spread(boolean on, ToDoubleFunction<Turn> figure) {
        return Spread.of(turns.stream()
                .filter(turn -> turn.on() == on)
                .mapToDouble(figure)
                .boxed()
                .toList());
    }

    /** Returns why the bench has failed; empty if no operation failed. */
    List<String> failures() {
        List<String> failures = new ArrayList<>();
        if (failed() > 0) {
            failures.add(failed() + " operations failed");
            turns.forEach(turn -> failures.addAll(turn.outcome().failures()));
        }
        return failures;
    }

    String text() {
        String load = settings.measure() == Measure.STRAGGLERS
                ? String.format(
                        Locale.ROOT,
                        "one of two instances stopped for %d ms every %d ms",
                        settings.stopMillis(),
                        settings.everyMillis())
                : "memory for 2 instances of 4 deployments";
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%s; %s operations per second, at most %d in flight; median of %d turns of %d s (least to greatest)%n",
                load,
                settings.ops() == 0 ? "all possible" : String.format(Locale.ROOT, "%,d", settings.ops()),
                settings.window(),
                settings.rounds(),
                settings.seconds()));
        text.append(String.format(
                Locale.ROOT, "  %-28s %-30s %s%n", settings.measure().label(), "off", "on"));
        line(text, "operations per second", turn -> turn.outcome().opsPerSecond(), 0);
        line(text, "p50, ms", turn -> turn.outcome().p50Micros() / MILLI, 2);
        line(text, "p99, ms", turn -> turn.outcome().p99Micros() / MILLI, 2);
        line(text, "p99.9, ms", turn -> turn.outcome().p999Micros() / MILLI, 2);
        line(text, "slowest, ms", turn -> turn.outcome().maxMicros() / MILLI, 1);
        if (settings.measure() == Measure.STRAGGLERS) {
            line(text, "instances stopped", turn -> turn.readings().stops(), 0);
            line(text, "given up as stragglers", turn -> turn.readings().stragglers(), 0);
        } else {
            line(text, "instances started", turn -> turn.readings().starts(), 0);
            line(text, "cost of a million, $", Turn::usdPerMillion, 5);
            line(text, "times the mode began", turn -> turn.readings().thrashings(), 0);
            line(text, "asked of other deployments", turn -> turn.readings().strays(), 0);
        }
        line(text, "by HTTP", turn -> turn.readings().http(), 0);
        line(text, "failed", turn -> turn.outcome().failed(), 0);
        return text.toString().stripTrailing();
    }

    private void line(StringBuilder text, String name, ToDoubleFunction<Turn> figure, int digits) {
        text.append(String.format(
                Locale.ROOT,
                "  %-28s %-30s %s%n",
                name,
                spread(false, figure).text(digits),
                spread(true, figure).text(digits)));
    }
}
