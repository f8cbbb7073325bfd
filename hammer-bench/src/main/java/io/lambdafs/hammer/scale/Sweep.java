package io.lambdafs.hammer.scale;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.hammer.measure.BenchResult;
import io.lambdafs.hammer.report.TextTable;
import io.lambdafs.hammer.result.Latency;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.result.SeriesPoint;
import io.lambdafs.hammer.workload.Texts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Runs a scenario with several values of some settings, in all combinations. Stateless. */
final class Sweep {
    private static final int MOST_RUNS = 500;

    private Sweep() {}

    /** A method of simulation. */
    @FunctionalInterface
    interface Runner {
        ScaleResult run(String scenario, Map<String, Double> values, long seed, Consumer<SeriesPoint> progress);
    }

    /**
     * Runs all combinations.
     *
     * @param axes {@code section.key=value,value,…}
     * @param runner simulates one of them
     */
    static BenchResult run(
            String scenario,
            Map<String, Double> values,
            List<String> axes,
            long seed,
            Runner runner,
            Consumer<String> progress) {
        Map<String, double[]> all = new LinkedHashMap<>();
        int runs = 1;
        for (String axis : axes) {
            int at = axis.indexOf('=');
            String key = at < 0 ? axis : axis.substring(0, at);
            ScaleFile.known(values, key, "--sweep " + axis);
            try {
                double[] points = Arrays.stream(axis.substring(at + 1).split(",", -1))
                        .mapToDouble(Double::parseDouble)
                        .toArray();
                runs *= points.length;
                all.put(key, points);
            } catch (NumberFormatException e) {
                throw ScaleFile.invalid("--sweep " + axis + ": values are numbers with commas between them");
            }
        }
        if (runs > MOST_RUNS) {
            throw ScaleFile.invalid("--sweep: " + runs + " runs are more than " + MOST_RUNS);
        }
        List<ScaleResult> results = new ArrayList<>();
        for (Map<String, Double> point : combinations(new ArrayList<>(all.entrySet()), 0, new TreeMap<>(values))) {
            ScaleResult result = runner.run(scenario, point, seed, second -> {});
            results.add(result);
            progress.accept(table(all.keySet()).row(result));
        }
        return new BenchResult(json(results, all.keySet()), table(all.keySet()).of(results));
    }

    private static List<Map<String, Double>> combinations(
            List<Map.Entry<String, double[]>> axes, int from, Map<String, Double> values) {
        List<Map<String, Double>> all = new ArrayList<>();
        if (from == axes.size()) {
            all.add(values);
            return all;
        }
        for (double value : axes.get(from).getValue()) {
            Map<String, Double> changed = new TreeMap<>(values);
            changed.put(axes.get(from).getKey(), value);
            ScaleFile.check(changed);
            all.addAll(combinations(axes, from + 1, changed));
        }
        return all;
    }

    private static TextTable<ScaleResult> table(Iterable<String> axes) {
        TextTable<ScaleResult> table = new TextTable<>();
        for (String axis : axes) {
            int key = axis.indexOf('.') + 1;
            table.right(
                    axis.substring(key, Math.min(axis.length(), key + 12)),
                    12,
                    result -> Texts.plain(result.values().getOrDefault(axis, 0.0)));
        }
        return table.number("done/s", 10, "%,.0f", result -> result.replay().opsPerSecond())
                .number("mean ms", 9, "%.3f", result -> all(result).mean() / 1e3)
                .number("p50", 9, "%.3f", result -> all(result).p50() / 1e3)
                .number("p99", 9, "%.2f", result -> all(result).p99() / 1e3)
                .number("p99.9", 9, "%.2f", result -> all(result).p999() / 1e3)
                .number("instances", 10, "%d", result -> result.replay().peakInstances())
                .number("cost $", 10, "%.4f", result -> result.replay().cost().payPerUseUsd())
                .number("failed", 8, "%,d", result -> result.replay().failed())
                .gap(2)
                .left("busiest", 1, result -> busiest(result.parts().get(0)));
    }

    private static Latency all(ScaleResult result) {
        return result.replay().latencyMicros().getOrDefault(ReplayResult.ALL, result.calls());
    }

    private static String busiest(ScaleResult.Part part) {
        return String.format(Locale.ROOT, "%s %.0f %%", part.name(), part.most() * 100);
    }

    private static ObjectNode json(List<ScaleResult> results, Iterable<String> axes) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("schema", 1);
        ArrayNode rows = json.putArray("runs");
        for (ScaleResult result : results) {
            ObjectNode row = result.json(null);
            ObjectNode point = row.putObject("point");
            axes.forEach(axis -> point.put(axis, result.values().get(axis)));
            rows.add(row);
        }
        return json;
    }
}
