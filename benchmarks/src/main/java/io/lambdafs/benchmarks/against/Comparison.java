package io.lambdafs.benchmarks.against;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.hammer.measure.Spread;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The results of both builds for one operation. Immutable.
 *
 * @param before median operations per second of the other build
 * @param now the same of this build
 * @param throughput now over before
 * @param cpu CPU time of client and servers per operation, now over before
 */
record Comparison(String op, double before, double now, PairedRatios throughput, PairedRatios cpu) {
    /** @param before results of the other build, equally many as {@code now} */
    static Comparison of(String op, List<JsonNode> before, List<JsonNode> now) {
        return new Comparison(
                op,
                median(before),
                median(now),
                ratios(before, now, Comparison::rate),
                ratios(before, now, Comparison::cpuMicros));
    }

    private static PairedRatios ratios(List<JsonNode> before, List<JsonNode> now, ToDoubleFunction<JsonNode> value) {
        return PairedRatios.of(IntStream.range(0, now.size())
                .mapToObj(i -> value.applyAsDouble(now.get(i)) / value.applyAsDouble(before.get(i)))
                .toList());
    }

    private static double median(List<JsonNode> results) {
        return Spread.of(results.stream().map(Comparison::rate).toList()).median();
    }

    static double rate(JsonNode result) {
        return result.path("opsPerSecond").asDouble();
    }

    private static double cpuMicros(JsonNode result) {
        return result.path("clientCpuMicrosPerOp").asDouble()
                + result.path("serverCpuMicrosPerOp").asDouble();
    }

    /** Returns whether both medians are within the bound. */
    boolean holds(double bound) {
        return throughput.median() >= bound && cpu.median() <= 1 / bound;
    }

    /** Returns the verdict in words: holds, slower, or slower by the median while the interval leaves it open. */
    String verdict(double bound) {
        if (holds(bound)) {
            return "holds";
        }
        boolean certain = throughput.high() < bound || cpu.low() > 1 / bound;
        return certain ? "SLOWER" : "SLOWER, uncertain";
    }

    void write(ObjectNode node, double bound) {
        node.put("op", op)
                .put("before", before)
                .put("now", now)
                .put("holds", holds(bound))
                .put("verdict", verdict(bound));
        write(node.putObject("throughput"), throughput);
        write(node.putObject("cpu"), cpu);
    }

    private static void write(ObjectNode node, PairedRatios ratios) {
        node.put("median", ratios.median()).put("low", ratios.low()).put("high", ratios.high());
    }

    /** Returns a line for people. */
    String line(double bound) {
        return String.format(
                Locale.ROOT,
                "%-12s %,11.0f %,11.0f   %.2f (%.2f–%.2f)   %.2f (%.2f–%.2f)  %s",
                op,
                before,
                now,
                throughput.median(),
                throughput.low(),
                throughput.high(),
                cpu.median(),
                cpu.low(),
                cpu.high(),
                verdict(bound));
    }
}
