package io.lambdafs.hammer.scale;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.hammer.measure.BenchResult;
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
            progress.accept(row(result, all.keySet()));
        }
        return new BenchResult(json(results, all.keySet()), text(results, all.keySet()));
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

    private static String text(List<ScaleResult> results, Iterable<String> axes) {
        StringBuilder text = new StringBuilder();
        for (String axis : axes) {
            text.append(String.format(
                    Locale.ROOT,
                    "%12s ",
                    axis.substring(axis.indexOf('.') + 1, Math.min(axis.length(), axis.indexOf('.') + 13))));
        }
        text.append(String.format(
                Locale.ROOT,
                "%10s %9s %9s %9s %9s %10s %10s %8s  %s%n",
                "done/s",
                "mean ms",
                "p50",
                "p99",
                "p99.9",
                "instances",
                "cost $",
                "failed",
                "busiest"));
        results.forEach(result -> text.append(row(result, axes)).append('\n'));
        return text.toString();
    }

    private static String row(ScaleResult result, Iterable<String> axes) {
        StringBuilder text = new StringBuilder();
        for (String axis : axes) {
            text.append(String.format(
                    Locale.ROOT, "%12s ", Texts.plain(result.values().getOrDefault(axis, 0.0))));
        }
        ReplayResult replay = result.replay();
        Latency all = replay.latencyMicros().getOrDefault(ReplayResult.ALL, result.calls());
        ScaleResult.Part busiest = result.parts().get(0);
        return text.append(String.format(
                        Locale.ROOT,
                        "%,10.0f %9.3f %9.3f %9.2f %9.2f %10d %10.4f %,8d  %s %.0f %%",
                        replay.opsPerSecond(),
                        all.mean() / 1e3,
                        all.p50() / 1e3,
                        all.p99() / 1e3,
                        all.p999() / 1e3,
                        replay.peakInstances(),
                        replay.cost().payPerUseUsd(),
                        replay.failed(),
                        busiest.name(),
                        busiest.most() * 100))
                .toString();
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
