package io.lambdafs.hammer.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.hammer.result.Listings;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.result.SeriesPoint;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A result as JSON: the stable object for scripts, and the larger one for the report's plots. Stateless. */
final class ResultJson {
    static final int SCHEMA = 1;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private ResultJson() {}

    static String forScripts(ReplayResult result, @Nullable Path report) {
        return text(summary(result, report));
    }

    /** Returns the object for scripts, with a row for each second. */
    static ObjectNode whole(ReplayResult result, Path report) {
        ObjectNode json = summary(result, report);
        if (!result.unfinished().isEmpty()) {
            json.put("unfinished", result.unfinished());
        }
        series(json, result);
        return json;
    }

    private static ObjectNode summary(ReplayResult result, @Nullable Path report) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("schema", SCHEMA);
        json.put("operations", result.operations());
        json.put("failed", result.failed());
        json.put("seconds", rounded(result.seconds(), 3));
        json.put("opsPerSecond", rounded(result.opsPerSecond(), 1));
        json.put("offeredOpsPerSecond", rounded(result.offeredOpsPerSecond(), 1));
        json.put("peakInstances", result.peakInstances());
        json.put("finalInstances", result.finalInstances());
        json.put("cacheHitRate", rounded(result.cacheHitRate(), 4));
        ObjectNode latencies = json.putObject("latencyMicros");
        result.latencyMicros().forEach((name, latency) -> {
            ObjectNode one = latencies.putObject(name);
            one.put("mean", rounded(latency.mean(), 1));
            one.put("p50", latency.p50());
            one.put("p99", latency.p99());
            one.put("p999", latency.p999());
            one.put("max", latency.max());
        });
        listings(json, result.listings());
        ObjectNode cost = json.putObject("cost");
        cost.put("payPerUseUsd", rounded(result.cost().payPerUseUsd(), 9));
        cost.put("serverfulUsd", rounded(result.cost().serverfulUsd(), 9));
        cost.put("perMillionOpsUsd", rounded(result.cost().perMillionOpsUsd(), 6));
        json.put("seed", result.seed());
        json.put("report", report == null ? null : report.toString());
        return json;
    }

    static void listings(ObjectNode json, Listings listings) {
        if (listings.isTold()) {
            json.putObject("listings")
                    .put("pages", listings.pages())
                    .put("unreadShare", rounded(listings.unreadShare(), 4))
                    .put("p99Micros", listings.calm().p99())
                    .put("joiningP99Micros", listings.whileJoining().p99())
                    .put("joiningP99OfCalm", rounded(listings.joiningP99OfCalm(), 2));
        }
    }

    static String forReport(ReplayResult result) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("fleetUsdPerSecond", result.fleet().usd(result.peakInstances(), 1));
        series(json, result);
        ObjectNode curves = json.putObject("curves");
        result.latencyMicros().forEach((name, latency) -> {
            if (latency.count() > 0) {
                ArrayNode curve = curves.putArray(name);
                latency.curve()
                        .forEach(point -> curve.addArray()
                                .add(rounded(100 / Math.max(1e-12, 100 - point.percentile()), 3))
                                .add(Math.max(1, point.micros())));
            }
        });
        return text(json);
    }

    private static void series(ObjectNode json, ReplayResult result) {
        ArrayNode series = json.putArray("series");
        for (SeriesPoint point : result.series()) {
            ObjectNode one = series.addObject();
            one.put("t", rounded(point.seconds(), 2));
            one.put("offered", rounded(point.offeredPerSecond(), 1));
            one.put("done", rounded(point.opsPerSecond(), 1));
            one.put("p50", point.p50Micros());
            one.put("p99", point.p99Micros());
            ArrayNode instances = one.putArray("instances");
            point.instancesByDeployment().forEach(instances::add);
            one.put("hits", rounded(point.hitRate(), 4));
            one.put("cost", rounded(point.payPerUseUsd(), 9));
            one.put("simplified", rounded(point.simplifiedUsd(), 9));
            one.put("waiting", point.waiting());
        }
    }

    private static double rounded(double value, int digits) {
        if (!Double.isFinite(value)) {
            return 0;
        }
        double scale = Math.pow(10, digits);
        return Math.round(value * scale) / scale;
    }

    private static String text(ObjectNode json) {
        try {
            return MAPPER.writeValueAsString(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of numbers and strings has no JSON", e);
        }
    }
}
