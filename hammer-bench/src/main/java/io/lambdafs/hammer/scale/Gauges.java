package io.lambdafs.hammer.scale;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The utilisation of each part, sampled once a second. Not thread-safe. */
final class Gauges {
    private static final double SECOND_NANOS = 1e9;
    /** Lease renewals per second. */
    private static final double RENEWALS = 3;

    private final ScaleCluster cluster;
    private final Map<Processors, Long> before = new LinkedHashMap<>();
    /** Processors sampled this time. */
    private final Set<Processors> seen = new LinkedHashSet<>();

    private final Map<String, Meter> meters = new LinkedHashMap<>();

    Gauges(ScaleCluster cluster) {
        this.cluster = cluster;
        look();
        meters.clear();
    }

    void look() {
        cluster.members().renewals(RENEWALS);
        double mean = 0;
        double hottest = 0;
        List<ScaleInstance> instances = cluster.instances();
        for (ScaleInstance instance : instances) {
            double busy = busy(instance.processors());
            mean += busy;
            hottest = Math.max(hottest, busy);
        }
        note("instances", instances.isEmpty() ? 0 : mean / instances.size());
        note("hottest instance", hottest);
        mean = 0;
        hottest = 0;
        ShardedStore store = cluster.store();
        for (int i = 0; i < store.shards(); i++) {
            double busy = busy(store.processors(i));
            mean += busy;
            hottest = Math.max(hottest, busy);
        }
        note("store", mean / store.shards());
        note("hottest shard", hottest);
        note("gateway", busy(cluster.gatewayProcessors()));
        note("coordinator", busy(cluster.members().coordinator()));
        mean = 0;
        for (ScaleCluster.Client client : cluster.clients()) {
            mean += busy(client.processors());
        }
        note("clients", mean / cluster.clients().size());
        before.keySet().removeIf(each -> !seen.contains(each));
        seen.forEach(each -> before.put(each, each.usedNanos()));
        seen.clear();
    }

    private double busy(Processors processors) {
        seen.add(processors);
        long used = processors.usedNanos() - before.getOrDefault(processors, 0L);
        return used / SECOND_NANOS / processors.count();
    }

    private void note(String name, double share) {
        meters.computeIfAbsent(name, any -> new Meter()).note(share);
    }

    /** Returns the parts, the busiest first. */
    List<ScaleResult.Part> parts() {
        List<ScaleResult.Part> parts = new ArrayList<>();
        meters.forEach((name, meter) -> parts.add(meter.part(name)));
        parts.sort(Comparator.comparingDouble(ScaleResult.Part::most).reversed());
        return parts;
    }
}
