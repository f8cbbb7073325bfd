package io.lambdafs.hammer.scale;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.hammer.report.Report;
import io.lambdafs.hammer.result.Latency;
import io.lambdafs.hammer.result.ReplayResult;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The result of a simulation. Immutable.
 *
 * @param replay in the form of a replay's result
 * @param calls latency from an operation's actual start, without its wait for a place in the window
 * @param parts utilisation of each part, the busiest first
 * @param counts numbers of HTTP calls, INVs and the like
 * @param machineSeconds processor time used on the one shared machine, including other programs; 0 if there is none
 * @param values the settings of the simulation
 */
record ScaleResult(
        String scenario,
        ReplayResult replay,
        Latency calls,
        List<Part> parts,
        Map<String, Long> counts,
        double machineSeconds,
        Map<String, Double> values) {

    /**
     * A part that may be the bottleneck.
     *
     * @param mean utilisation of its processors, 0–1
     * @param most maximum in one second
     */
    record Part(String name, double mean, double most) {}

    ScaleResult {
        parts = List.copyOf(parts);
        counts = Map.copyOf(counts);
        values = Map.copyOf(values);
    }

    /** The paper's results, by scenario. */
    private static final Map<String, String> PAPER = Map.of(
            "paper-25k", "45,690 ops/s, 1.02 ms mean, at most 33 NameNodes of 5 vCPUs, $0.35",
            "paper-50k", "90,876 ops/s, 4.31 ms mean, at most 36 NameNodes of 5 vCPUs");

    /** Returns the text for a terminal. */
    String text() {
        StringBuilder text = new StringBuilder(Report.table(replay));
        text.append('\n');
        line(
                text,
                "calls alone, without waiting for their turn: mean %.3f ms, p50 %.3f, p99 %.3f",
                calls.mean() / 1e3,
                calls.p50() / 1e3,
                calls.p99() / 1e3);
        line(text, "%-24s %8s %8s", "how busy, %", "mean", "most");
        parts.forEach(part -> line(text, "  %-22s %8.1f %8.1f", part.name(), part.mean() * 100, part.most() * 100));
        line(text, "%s", countsText());
        String paper = PAPER.get(scenario);
        if (paper != null) {
            line(text, "the paper, on other machines and by other code: %s", paper);
        }
        return text.toString();
    }

    private String countsText() {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(counts)
                .forEach((name, count) -> text.append(text.isEmpty() ? "" : ", ")
                        .append(String.format(Locale.ROOT, "%s %,d", name, count)));
        return text.toString();
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    /** Returns a replay's JSON with an additional {@code simulation}. */
    ObjectNode json(@Nullable Path page) {
        ObjectNode json;
        try {
            json = (ObjectNode) new ObjectMapper().readTree(Report.json(replay, page));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
        ObjectNode own = json.putObject("simulation").put("scenario", scenario);
        own.putObject("callMicros")
                .put("mean", Math.round(calls.mean() * 10) / 10.0)
                .put("p50", calls.p50())
                .put("p99", calls.p99())
                .put("p999", calls.p999());
        ObjectNode busy = own.putObject("busy");
        parts.forEach(part -> busy.putObject(part.name())
                .put("mean", Math.round(part.mean() * 1e4) / 1e4)
                .put("most", Math.round(part.most() * 1e4) / 1e4));
        ObjectNode numbers = own.putObject("counts");
        new TreeMap<>(counts).forEach(numbers::put);
        ObjectNode settings = own.putObject("settings");
        new TreeMap<>(values).forEach(settings::put);
        return json;
    }

    /** Returns the settings for the report. */
    static Map<String, String> shown(String scenario, ScaleSettings settings) {
        Map<String, String> shown = new LinkedHashMap<>();
        shown.put("Simulated", scenario + ": client, placement, pool and admission are real, times are those below");
        new TreeMap<>(settings.values())
                .forEach((key, value) -> shown.put(
                        key, value == Math.rint(value) ? String.valueOf(value.longValue()) : String.valueOf(value)));
        String paper = PAPER.get(scenario);
        if (paper != null) {
            shown.put("The paper, on other machines and by other code", paper);
        }
        return shown;
    }
}
