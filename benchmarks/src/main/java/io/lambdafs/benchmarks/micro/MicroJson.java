package io.lambdafs.benchmarks.micro;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.benchmarks.micro.driver.MicroOp;
import io.lambdafs.benchmarks.peers.Durability;
import io.lambdafs.hammer.measure.Spread;
import java.util.List;

/** Writes results as JSON, for scripts and {@code --compare}. Stateless. */
final class MicroJson {
    private MicroJson() {}

    static ObjectNode of(
            MicroSettings settings, MeasuredOn surroundings, List<LaneResult> results, List<Ratio> ratios) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode().put("schema", 1);
        settings(tree.putObject("settings"), settings);
        surroundings.write(tree);
        ArrayNode rows = tree.putArray("results");
        results.forEach(each -> result(rows.addObject(), each));
        ArrayNode pairs = tree.putArray("ratios");
        ratios.forEach(each -> ratio(pairs.addObject(), each));
        return tree;
    }

    private static void settings(ObjectNode node, MicroSettings settings) {
        settings.ops().stream().map(MicroOp::label).forEach(node.putArray("ops")::add);
        node.put("rounds", settings.rounds())
                .put("seconds", settings.seconds())
                .put("warmUpSeconds", settings.warmUpSeconds())
                .put("seed", settings.seed())
                .put("spotifyDirectories", settings.directories());
    }

    private static void result(ObjectNode node, LaneResult result) {
        LaneKey lane = result.lane();
        Spread rate = result.opsPerSecond();
        node.put("target", lane.target())
                .put("api", lane.api())
                .put("op", lane.op().label())
                .put("threads", lane.threads())
                .put("window", lane.window())
                .put("ops", result.ops())
                .put("failed", result.failed())
                .put("durability", Durability.of(lane.target()).text());
        number(node, "opsPerSecond", rate.median());
        number(node, "opsPerSecondLow", rate.low());
        number(node, "opsPerSecondHigh", rate.high());
        number(node, "p50Micros", result.micros(50));
        number(node, "p99Micros", result.micros(99));
        number(node, "p999Micros", result.micros(99.9));
        number(node, "clientCpuMicrosPerOp", result.clientMicrosPerOp());
        number(node, "serverCpuMicrosPerOp", result.serverMicrosPerOp());
        number(node, "compilerShare", result.compilerShare());
        number(node, "othersCores", result.othersCores());
        ArrayNode rounds = node.putArray("rounds");
        result.rounds().forEach(round -> rounds.add(rounded(round.opsPerSecond())));
        if (result.failure() != null) {
            node.put("failure", result.failure());
        }
    }

    private static void ratio(ObjectNode node, Ratio ratio) {
        LaneKey above = ratio.numerator();
        LaneKey below = ratio.denominator();
        node.put("op", above.op().label())
                .put("api", above.api())
                .put("threads", above.threads())
                .put("window", above.window())
                .put("numerator", above.target())
                .put("denominator", below.target())
                .put("denominatorApi", below.api())
                .put("denominatorThreads", below.threads());
        number(node, "median", ratio.throughput().median());
        number(node, "min", ratio.throughput().min());
        number(node, "max", ratio.throughput().max());
        number(node, "cpuMedian", ratio.cpu());
    }

    /** Puts a number, or null if not known. */
    static void number(ObjectNode node, String key, double value) {
        if (Double.isFinite(value)) {
            node.put(key, rounded(value));
        } else {
            node.putNull(key);
        }
    }

    private static double rounded(double value) {
        return Math.round(value * 1_000) / 1_000.0;
    }
}
