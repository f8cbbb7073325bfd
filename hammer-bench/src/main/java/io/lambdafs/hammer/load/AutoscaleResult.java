package io.lambdafs.hammer.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.settings.DistanceSettings;
import io.lambdafs.hammer.emulation.Emulation;
import io.lambdafs.hammer.report.Report;
import io.lambdafs.hammer.result.SeriesPoint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The same step of the load with more and with fewer instances allowed. Immutable.
 *
 * @param distance emulated on the cluster
 */
record AutoscaleResult(
        double baseOps, double factor, int seconds, DistanceSettings distance, List<StepResponse> responses) {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    AutoscaleResult {
        responses = List.copyOf(responses);
    }

    long failed() {
        return responses.stream().mapToLong(each -> each.result().failed()).sum();
    }

    ObjectNode json() {
        ObjectNode tree = MAPPER.createObjectNode().put("schema", 1);
        tree.put("baseOps", baseOps)
                .put("factor", factor)
                .put("seconds", seconds)
                .put("failed", failed());
        tree.set("distance", Emulation.json(distance));
        ArrayNode all = tree.putArray("responses");
        for (StepResponse each : responses) {
            ObjectNode node = all.addObject().put("maxInstances", each.maxInstances());
            seconds(node, "absorbedAfterSeconds", each.absorbedAfter());
            seconds(node, "queueGoneAfterSeconds", each.queueGoneAfter());
            node.put("worstMillis", each.worstMillis());
            for (StepResponse.Phase phase : StepResponse.Phase.values()) {
                node.putObject(phase.label())
                        .put("opsPerSecond", Math.round(each.opsPerSecond(phase)))
                        .put("settledP99Millis", each.settledP99Millis(phase))
                        .put("worstP99Millis", each.worstP99Millis(phase))
                        .put("peakInstances", each.peakInstances(phase))
                        .put("changesWhileConstant", each.changesWhileConstant(phase));
            }
            ArrayNode instances = node.putArray("instances");
            for (SeriesPoint point : each.result().series()) {
                ObjectNode at = instances.addObject().put("seconds", Math.round(point.seconds() * 10) / 10.0);
                point.instancesByDeployment().forEach(at.withArray("byDeployment")::add);
            }
            try {
                node.set("result", MAPPER.readTree(Report.json(each.result(), null)));
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("a report's JSON does not parse", e);
            }
        }
        return tree;
    }

    private static void seconds(ObjectNode node, String key, OptionalDouble value) {
        if (value.isPresent()) {
            node.put(key, value.getAsDouble());
        } else {
            node.putNull(key);
        }
    }

    /**
     * Returns why the bench has failed; empty if no operation failed.
     *
     * @param logs directory of the cluster's logs
     */
    List<String> failures(Path logs) {
        List<String> failures = new ArrayList<>();
        if (failed() > 0) {
            failures.add(failed() + " operations failed; the cluster's logs are in " + logs);
            responses.forEach(each -> failures.addAll(each.result().failures()));
        }
        return failures;
    }

    String text() {
        String head = String.format(
                Locale.ROOT,
                "%,.0f ops/s, then %,.0f, then %,.0f, for %.0f s each%n"
                        + "instances   p99 near before   queue gone      slowest   done/s: before, step, after"
                        + "   settled p99, ms       instances   come or gone   failed%n",
                baseOps,
                baseOps * factor,
                baseOps,
                seconds / 3.0);
        return head + responses.stream().map(AutoscaleResult::line).collect(Collectors.joining("\n")) + "\n"
                + Emulation.line(distance);
    }

    private static String line(StepResponse each) {
        return String.format(
                Locale.ROOT,
                "at most %-2d  %16s %12s %9.0f ms   %s   %s   %s   %s   %6d",
                each.maxInstances(),
                seconds(each.absorbedAfter()),
                seconds(each.queueGoneAfter()),
                each.worstMillis(),
                phases("%8.0f %6.0f %6.0f", each::opsPerSecond),
                phases("%11.1f %6.1f %6.1f", each::settledP99Millis),
                phases("%5d %2d %2d", each::peakInstances),
                phases("%6d %2d %2d", each::changesWhileConstant),
                each.result().failed());
    }

    /** Formats a figure of each phase. */
    private static String phases(String format, Function<StepResponse.Phase, Number> figure) {
        return String.format(
                Locale.ROOT,
                format,
                Stream.of(StepResponse.Phase.values()).map(figure).toArray());
    }

    private static String seconds(OptionalDouble value) {
        return value.isPresent() ? String.format(Locale.ROOT, "%.1f s", value.getAsDouble()) : "never";
    }
}
