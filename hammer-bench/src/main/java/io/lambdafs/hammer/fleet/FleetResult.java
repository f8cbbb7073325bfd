package io.lambdafs.hammer.fleet;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.settings.DistanceSettings;
import io.lambdafs.hammer.emulation.Emulation;
import io.lambdafs.hammer.report.Report;
import io.lambdafs.hammer.report.TextTable;
import io.lambdafs.hammer.result.Latency;
import io.lambdafs.hammer.result.SeriesPoint;
import io.lambdafs.hammer.workload.OperationKind;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/**
 * The services side by side. Immutable.
 *
 * @param services number of services when all are measured
 * @param distance emulated on all clusters
 */
public record FleetResult(List<PersonaRun> runs, PriceTable prices, int services, DistanceSettings distance) {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String COLUMNS =
            "persona,vcpu,operations,failed,not_done,ops_per_s,burst_ops_per_s,calm_p50_us,calm_p99_us,calm_p999_us,"
                    + "burst_mean_us,burst_read_mean_us,burst_p50_us,burst_p99_us,burst_p999_us,peak_instances,cache_hit_rate,usd,usd_per_million_ops,"
                    + "pay_per_use_usd,simplified_usd,held_usd,machines_usd";

    public FleetResult {
        runs = List.copyOf(runs);
    }

    /** Creates a complete result. */
    FleetResult(List<PersonaRun> runs, PriceTable prices, DistanceSettings distance) {
        this(runs, prices, runs.size(), distance);
    }

    /** Explains why it is incomplete; empty if it is complete. */
    String unfinished() {
        return runs.size() >= services ? "" : runs.size() + " of " + services + " services are measured";
    }

    /** Compares λFS to the others, a line each. */
    List<String> comparison() {
        return Beside.of(runs).stream().flatMap(each -> each.lines().stream()).toList();
    }

    /** Returns one object, including the seconds of each service. */
    public ObjectNode json() {
        ObjectNode tree = MAPPER.createObjectNode().put("schema", 1);
        if (!unfinished().isEmpty()) {
            tree.put("unfinished", unfinished());
        }
        tree.set("distance", Emulation.json(distance));
        tree.putObject("prices")
                .put("cloud", prices.cloud())
                .put("date", prices.date())
                .put("usdPerGbSecond", prices.usdPerGbSecond())
                .put("usdPerMillionRequests", prices.usdPerMillionRequests())
                .put("usdPerVcpuHour", prices.usdPerVcpuHour());
        ArrayNode all = tree.putArray("personas");
        for (PersonaRun run : runs) {
            ObjectNode node = all.addObject()
                    .put("name", run.persona().label())
                    .put("what", run.persona().what())
                    .put("vcpu", run.vcpu())
                    .put("operations", run.result().operations())
                    .put("failed", run.failed())
                    .put("notDone", run.notDone())
                    .put("opsPerSecond", Math.round(run.result().opsPerSecond()))
                    .put("burstOpsPerSecond", Math.round(run.burstOpsPerSecond()))
                    .put("peakInstances", run.result().peakInstances())
                    .put("cacheHitRate", run.result().cacheHitRate())
                    .put("usd", run.usd())
                    .put("usdPerMillionOps", run.usdPerMillionOps())
                    .put("seed", run.workload().seed())
                    .put("hot", run.workload().popularity().hot());
            run.peaks().forEach(node.putArray("peakByDeployment")::add);
            Report.listings(node, run.result().listings());
            ObjectNode costs = node.putObject("costs");
            for (CostModel model : CostModel.values()) {
                costs.put(model.key(), run.usd(model));
            }
            latency(node.putObject("burst"), run.inBurst());
            latency(node.putObject("burstReads"), run.readsInBurst());
            latency(node.putObject("calm"), run.outsideBurst());
            curves(node.putObject("curves"), run);
            series(node.putArray("series"), run);
        }
        ArrayNode compared = tree.putArray("comparison");
        for (Beside beside : Beside.of(runs)) {
            compared.addObject()
                    .put("to", beside.other().persona().label())
                    .put("burstDone", beside.burstDone())
                    .put("burstReadMean", beside.burstReadMean())
                    .put("burstP99", beside.burstP99());
        }
        return tree;
    }

    /** Adds the distribution of latency by kind (the paper's figure 10). */
    private static void curves(ObjectNode node, PersonaRun run) {
        for (OperationKind kind : List.of(OperationKind.READ, OperationKind.CREATE)) {
            ArrayNode points = node.putArray(kind.label());
            Latency latency = run.result().latencyMicros().get(kind.label());
            if (latency != null) {
                latency.curve()
                        .forEach(point -> points.addObject()
                                .put("percentile", point.percentile())
                                .put("micros", point.micros()));
            }
        }
    }

    private static void latency(ObjectNode node, Latency latency) {
        node.put("meanMicros", latency.mean())
                .put("p50Micros", latency.p50())
                .put("p99Micros", latency.p99())
                .put("p999Micros", latency.p999());
    }

    private static void series(ArrayNode series, PersonaRun run) {
        Iterator<Double> opsPerUsd = run.opsPerUsd().iterator();
        for (SeriesPoint point : run.result().series()) {
            series.addObject()
                    .put("t", point.seconds())
                    .put("offered", point.offeredPerSecond())
                    .put("done", point.opsPerSecond())
                    .put("p50", point.p50Micros())
                    .put("p99", point.p99Micros())
                    .put("instances", instances(point))
                    .put("usd", run.usdAt(point))
                    .put("opsPerUsd", Math.round(opsPerUsd.next()))
                    .put("waiting", point.waiting());
        }
    }

    private static int instances(SeriesPoint point) {
        return point.instancesByDeployment().stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    /** Returns a row for each service. */
    String summaryCsv() {
        StringBuilder text = new StringBuilder(COLUMNS).append('\n');
        for (PersonaRun run : runs) {
            Latency calm = run.outsideBurst();
            Latency burst = run.inBurst();
            text.append(String.format(
                    Locale.ROOT,
                    "%s,%.3f,%d,%d,%d,%.1f,%.1f,%d,%d,%d,%.1f,%.1f,%d,%d,%d,%d,%.4f,%.9f,%.6f,%.9f,%.9f,%.9f,%.9f%n",
                    run.persona().label(),
                    run.vcpu(),
                    run.result().operations(),
                    run.failed(),
                    run.notDone(),
                    run.result().opsPerSecond(),
                    run.burstOpsPerSecond(),
                    calm.p50(),
                    calm.p99(),
                    calm.p999(),
                    burst.mean(),
                    run.readsInBurst().mean(),
                    burst.p50(),
                    burst.p99(),
                    burst.p999(),
                    run.result().peakInstances(),
                    run.result().cacheHitRate(),
                    run.usd(),
                    run.usdPerMillionOps(),
                    run.usd(CostModel.PAY_PER_USE),
                    run.usd(CostModel.SIMPLIFIED),
                    run.usd(CostModel.HELD),
                    run.usd(CostModel.MACHINES)));
        }
        return text.toString();
    }

    /** Returns a row for each second of each service. */
    String seriesCsv() {
        StringBuilder text = new StringBuilder(
                "persona,seconds,offered_per_s,done_per_s,p50_us,p99_us,instances,usd,ops_per_usd,waiting\n");
        for (PersonaRun run : runs) {
            Iterator<Double> opsPerUsd = run.opsPerUsd().iterator();
            for (SeriesPoint point : run.result().series()) {
                text.append(String.format(
                        Locale.ROOT,
                        "%s,%.2f,%.1f,%.1f,%d,%d,%d,%.9f,%.0f,%d%n",
                        run.persona().label(),
                        point.seconds(),
                        point.offeredPerSecond(),
                        point.opsPerSecond(),
                        point.p50Micros(),
                        point.p99Micros(),
                        instances(point),
                        run.usdAt(point),
                        opsPerUsd.next(),
                        point.waiting()));
            }
        }
        return text.toString();
    }

    /** Returns the text for a terminal. */
    public String text() {
        StringBuilder text = new StringBuilder(new TextTable<PersonaRun>()
                .left("", 21, run -> run.persona().label())
                .number("vCPU", 5, "%.2f", PersonaRun::vcpu)
                .number("done/s", 9, "%,.0f", run -> run.result().opsPerSecond())
                .number("in burst", 9, "%,.0f", PersonaRun::burstOpsPerSecond)
                .gap(3)
                .number("p50 ms", 8, "%.1f", run -> run.outsideBurst().p50() / 1e3)
                .number("p99", 8, "%.1f", run -> run.outsideBurst().p99() / 1e3)
                .number("p99.9", 8, "%.1f", run -> run.outsideBurst().p999() / 1e3)
                .gap(3)
                .number("mean", 8, "%.1f", run -> run.inBurst().mean() / 1e3)
                .number("read mean", 9, "%.2f", run -> run.readsInBurst().mean() / 1e3)
                .number("p50", 8, "%.1f", run -> run.inBurst().p50() / 1e3)
                .number("p99", 8, "%.1f", run -> run.inBurst().p99() / 1e3)
                .number("p99.9", 8, "%.1f", run -> run.inBurst().p999() / 1e3)
                .gap(3)
                .number("instances", 9, "%d", run -> run.result().peakInstances())
                .number("cost", 10, "$%.6f", PersonaRun::usd)
                .number("$/M ops", 8, "%.3f", PersonaRun::usdPerMillionOps)
                .right("failed", 16, PersonaRun::failedText)
                .of(runs));
        text.append(String.format(
                Locale.ROOT,
                "(latency from the intended start; before the second group outside the burst, then in it; prices: %s, %s)",
                prices.cloud(),
                prices.date()));
        text.append('\n').append(Emulation.line(distance));
        comparison().forEach(line -> text.append('\n').append(line));
        runs.forEach(run -> run.growth().ifPresent(line -> text.append('\n').append(line)));
        return text.toString();
    }

    /**
     * Returns the failures of services that scale by themselves: operations that a fleet of fixed size does not do are
     * a result, not a failure.
     */
    List<String> failures() {
        List<String> failures = new ArrayList<>();
        for (PersonaRun run : runs) {
            if (run.failed() > 0) {
                failures.add(run.persona().label() + ": " + run.failed() + " operations failed or were not done");
                run.result().failures().stream().limit(3).forEach(failures::add);
            }
        }
        return failures;
    }
}
