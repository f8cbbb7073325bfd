package io.lambdafs.platform.local.dashboard;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.platform.HotPartition;
import io.lambdafs.platform.Json;
import io.lambdafs.platform.local.dashboard.Totals.Count;
import io.lambdafs.platform.local.pool.InstanceEvents;
import io.lambdafs.platform.local.pool.InstanceView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Writes the JSON sent to the page. Stateless. */
final class DashboardJson {
    private DashboardJson() {}

    /** Returns the points between consecutive moments. */
    static ArrayNode points(List<Totals> moments) {
        ArrayNode points = Json.mapper().createArrayNode();
        for (int i = 1; i < moments.size(); i++) {
            points.add(point(moments.get(i - 1), moments.get(i)));
        }
        return points;
    }

    /** Returns the rates per second between two moments. */
    static ObjectNode point(Totals before, Totals now) {
        double seconds = Math.max(1e-3, now.seconds() - before.seconds());
        int last = Totals.BOUNDS - 1;
        ObjectNode point = Json.object()
                .put("t", rounded(now.seconds(), 1))
                .put("reads", rounded((now.reads()[last] - before.reads()[last]) / seconds, 1))
                .put("writes", rounded((now.writes()[last] - before.writes()[last]) / seconds, 1))
                .put("readP50", Math.round(Totals.percentileMicros(before.reads(), now.reads(), 0.5)))
                .put("readP99", Math.round(Totals.percentileMicros(before.reads(), now.reads(), 0.99)))
                .put("writeP50", Math.round(Totals.percentileMicros(before.writes(), now.writes(), 0.5)))
                .put("writeP99", Math.round(Totals.percentileMicros(before.writes(), now.writes(), 0.99)))
                .put("hits", share(before, now, Count.HITS, Count.MISSES, Count.LISTING_HITS, Count.LISTING_MISSES))
                .put("links", share(before, now, Count.LINK_HITS, Count.LINK_MISSES))
                .put("http", share(before, now, Count.HTTP, Count.TCP))
                .put("failed", rounded((now.sum(Count.FAULTS) - before.sum(Count.FAULTS)) / seconds, 2))
                .put("overloaded", rounded((now.sum(Count.OVERLOADED) - before.sum(Count.OVERLOADED)) / seconds, 1))
                .put("queued", now.queued())
                .put("usd", rounded(now.usd(), 9))
                .put("provisionedUsd", rounded(now.provisionedUsd(), 9));
        ArrayNode instances = point.putArray("instances");
        for (int each : now.instances()) {
            instances.add(each);
        }
        return point;
    }

    /** Returns the first, third … of the counts as a share of all; −1 if all are 0. */
    private static double share(Totals before, Totals now, Count... counts) {
        double part = 0;
        double all = 0;
        for (int i = 0; i < counts.length; i++) {
            double counted = now.sum(counts[i]) - before.sum(counts[i]);
            part += i % 2 == 0 ? counted : 0;
            all += counted;
        }
        return all <= 0 ? -1 : rounded(part / all, 4);
    }

    /** Returns a row for each deployment: its cache, and its work between two moments. */
    static ArrayNode deployments(List<String> names, Totals before, Totals now) {
        double seconds = Math.max(1e-3, now.seconds() - before.seconds());
        ArrayNode rows = Json.mapper().createArrayNode();
        for (int i = 0; i < names.size(); i++) {
            ObjectNode row = rows.addObject().put("name", names.get(i)).put("instances", now.instances()[i]);
            for (Count each : Count.values()) {
                double value =
                        each.isState() ? now.count(each, i) : (now.count(each, i) - before.count(each, i)) / seconds;
                row.put(each.name().toLowerCase(Locale.ROOT), rounded(value, 2));
            }
        }
        return rows;
    }

    /** Returns the deployment that did far more than an even share of the work between two moments, if any did. */
    static Optional<HotPartition> hot(List<String> names, Totals before, Totals now) {
        double seconds = Math.max(1e-3, now.seconds() - before.seconds());
        Map<String, Double> opsPerSecond = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            double done = now.count(Count.OPERATIONS, i) - before.count(Count.OPERATIONS, i);
            opsPerSecond.put(names.get(i), done / seconds);
        }
        return HotPartition.of(opsPerSecond, names.size());
    }

    static ArrayNode events(List<InstanceEvents.Event> events) {
        ArrayNode list = Json.mapper().createArrayNode();
        for (InstanceEvents.Event each : events) {
            list.addObject()
                    .put("number", each.number())
                    .put("millis", each.millis())
                    .put("kind", each.kind().name().toLowerCase(Locale.ROOT))
                    .put("deployment", each.deployment())
                    .put("instance", each.instance())
                    .put("text", each.text());
        }
        return list;
    }

    static ArrayNode instances(List<InstanceView> views) {
        ArrayNode list = Json.mapper().createArrayNode();
        for (InstanceView each : views) {
            ObjectNode row = list.addObject()
                    .put("id", each.id())
                    .put("deployment", each.deployment())
                    .put("state", each.state())
                    .put("age", each.ageMillis() / 1_000)
                    .put("inFlight", each.inFlight())
                    .put("billed", each.billedMillis());
            each.coldStartMillis().ifPresent(millis -> row.put("coldStart", millis));
            each.ofSteadyCost().ifPresent(ratio -> row.put("steady", rounded(ratio, 1)));
        }
        return list;
    }

    /**
     * Returns the slowest operations that instances reported, with their deployments; answers other than lists are left
     * out.
     */
    static ArrayNode slowest(Map<String, List<String>> told, int most) {
        List<ObjectNode> all = new ArrayList<>();
        told.forEach((deployment, lists) -> lists.forEach(list -> {
            try {
                for (JsonNode each : Json.mapper().readTree(list)) {
                    if (each instanceof ObjectNode slow) {
                        all.add(slow.put("deployment", deployment));
                    }
                }
            } catch (JsonProcessingException e) {
                // An instance of another kind.
            }
        }));
        all.sort(Comparator.comparingLong(
                        (ObjectNode each) -> each.path("micros").asLong())
                .reversed());
        ArrayNode slowest = Json.mapper().createArrayNode();
        all.stream().limit(most).forEach(slowest::add);
        return slowest;
    }

    private static double rounded(double value, int digits) {
        double scale = Math.pow(10, digits);
        return Math.round(value * scale) / scale;
    }
}
