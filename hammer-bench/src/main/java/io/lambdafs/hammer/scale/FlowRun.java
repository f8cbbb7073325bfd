package io.lambdafs.hammer.scale;

import io.lambdafs.hammer.FailureLog;
import io.lambdafs.hammer.Latency;
import io.lambdafs.hammer.Measured;
import io.lambdafs.hammer.OperationKind;
import io.lambdafs.hammer.Replay;
import io.lambdafs.hammer.Sample;
import io.lambdafs.hammer.Schedule;
import io.lambdafs.hammer.SeriesPoint;
import io.lambdafs.hammer.ServerfulFleet;
import io.lambdafs.hammer.Tally;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Placement;
import io.lambdafs.platform.local.pool.Prices;
import io.lambdafs.simulation.Agenda;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * Simulates the load as flows instead of events, for sizes with too many events: each deployment has an arrival rate, a
 * number of instances, a backlog, and instances being started; a step is 50 ms. Placement is the real one. Scaling
 * follows the rule of the real code: HTTP calls in flight, whether replacing TCP ones or refused, over
 * ConcurrencyLevel. Caches are full. Checked against events at a size that both can do. Not thread-safe.
 */
final class FlowRun {
    private static final double STEP_SECONDS = 0.05;
    private static final int STEPS_PER_SECOND = 20;
    private static final long MAX_MICROS = 3_600_000_000L;
    private static final int[] PERCENTILES = {5, 15, 25, 35, 45, 55, 65, 75, 85, 95};

    private final String scenario;
    private final ScaleSettings settings;
    private final long seed;
    private final Flow[] flows;
    private final FlowCosts costs;
    private final SplittableRandom random;
    private final Prices prices = Prices.lambda();
    private double billedMbMillis;
    private double provisionedMbMillis;
    private double httpCalls;
    private double invalidations;
    private double served;
    private long started;
    private final Meter hottest = new Meter();
    private final Meter store = new Meter();
    private final Meter gateway = new Meter();
    /** The store's utilisation, summed over the steps of the current second. */
    private double storeBusy;
    /** HTTP calls until the current second. */
    private double httpBefore;

    /** One deployment. */
    private static final class Flow {
        final double share;
        int instances = 1;
        /** Waiting operations. */
        double backlog;
        /** The times at which starting instances will be ready, seconds. */
        final Deque<Double> starting = new ArrayDeque<>();
        /** The time since which fewer instances would have sufficed, seconds. */
        double spareSince;
        /** Utilisation of its instances, summed over the steps of the current second. */
        double busy;

        Flow(double share) {
            this.share = share;
        }
    }

    private FlowRun(String scenario, ScaleSettings settings, long seed) {
        this.scenario = scenario;
        this.settings = settings;
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.flows = flows();
        this.costs = FlowCosts.of(settings);
    }

    static ScaleResult run(String scenario, Map<String, Double> values, long seed, Consumer<SeriesPoint> progress) {
        return new FlowRun(scenario, ScaleSettings.of(values, seed), seed).run(progress);
    }

    private Flow[] flows() {
        ScaleSettings.Namespace names = settings.namespace();
        double[] weights = new double[settings.platform().deployments()];
        Placement placement = new Placement(weights.length);
        double sum = 0;
        for (int i = 0; i < names.directories(); i++) {
            sum += Math.pow(i + 1, -names.zipf());
        }
        for (int i = 0; i < names.directories(); i++) {
            double part = Math.pow(i + 1, -names.zipf()) / sum * (1 - names.hotShare());
            weights[placement.ofChildren(FsPath.of("/d" + i))] += part + (i == 0 ? names.hotShare() : 0);
        }
        return Arrays.stream(weights).mapToObj(Flow::new).toArray(Flow[]::new);
    }

    private ScaleResult run(Consumer<SeriesPoint> progress) {
        Schedule schedule = new Schedule(settings.workload());
        Tally tally = new Tally(sample(), schedule::isBurst);
        Histogram calls = new Histogram(MAX_MICROS, 3);
        double length = settings.workload().length().toNanos() / 1e9;
        double offered = 0;
        int second = 0;
        double now = 0;
        do {
            for (int i = 0; i < STEPS_PER_SECOND; i++) {
                double rate = rate(schedule, now);
                offered += rate * STEP_SECONDS;
                for (Flow flow : flows) {
                    served += step(flow, rate * flow.share, now, tally, calls);
                }
                storeBusy += storeBusy(rate);
                now += STEP_SECONDS;
            }
            second++;
            look();
            Replay.checkInterrupt();
            progress.accept(tally.close(second, Math.round(offered), Math.round(backlog()), sample()));
        } while (second < length || (backlog() > 1 && second < length + 60));
        ServerfulFleet fleet =
                new ServerfulFleet(settings.instance().vcpu(), ServerfulFleet.R5_4XLARGE_USD_PER_VCPU_HOUR);
        FailureLog failures = new FailureLog();
        Measured measured =
                new Measured(tally, failures, Math.round(offered), Math.round(served), Math.max(length, second));
        return new ScaleResult(
                scenario + ", by flows",
                measured.result(new Measured.Basis(length, fleet, seed), ScaleResult.shown(scenario, settings)),
                Latency.of(calls),
                List.of(hottest.part("hottest instances"), store.part("store"), gateway.part("gateway")),
                counts(),
                0,
                settings.values());
    }

    private double backlog() {
        return Arrays.stream(flows).mapToDouble(flow -> flow.backlog).sum();
    }

    private static double rate(Schedule schedule, double now) {
        for (Schedule.Level level : schedule.levels()) {
            if (now < level.to()) {
                return level.opsPerSecond();
            }
        }
        return 0;
    }

    /** Simulates one deployment for one step; returns the number of operations done. */
    private double step(Flow flow, double rate, double now, Tally tally, Histogram calls) {
        while (!flow.starting.isEmpty() && flow.starting.element() <= now) {
            flow.starting.remove();
            flow.instances++;
        }
        int others = flow.instances - 1;
        double cpu = costs.cpu() + costs.writes() * others * (costs.invSend() + costs.invTake());
        double capacity = flow.instances * settings.instance().vcpu() / cpu;
        double window =
                (double) settings.clients().processes() * settings.clients().window() * flow.share;
        double due = flow.backlog + rate * STEP_SECONDS;
        double done = Math.min(due, capacity * STEP_SECONDS);
        flow.backlog = due - done;
        double busy = Math.min(1, done / STEP_SECONDS / capacity);
        flow.busy += busy;
        double waits = waiting(busy, cpu) + Math.min(flow.backlog, window) / capacity;
        record(flow, done, now, waits, tally, calls);
        scale(flow, done / STEP_SECONDS, busy, waits, now);
        bill(flow, done / STEP_SECONDS, cpu + waits);
        double rounds = others > 0 ? done * costs.writes() : 0;
        invalidations += rounds * others;
        return done;
    }

    /**
     * Returns the mean wait for a processor of an instance: Erlang's formula in Sakasegawa's approximation, for
     * exponentially distributed times.
     */
    private double waiting(double busy, double cpu) {
        double processors = Math.max(1, Math.ceil(settings.instance().vcpu()));
        double load = Math.min(0.995, busy);
        return cpu / processors * Math.pow(load, Math.sqrt(2 * (processors + 1)) - 1) / (1 - load);
    }

    private void record(Flow flow, double served, double now, double waits, Tally tally, Histogram calls) {
        double queue = flow.backlog / Math.max(1, served / STEP_SECONDS);
        for (OperationKind kind : OperationKind.values()) {
            boolean write = !kind.isRead();
            double base = write ? costs.writeWay() + round(flow) : costs.readWay();
            double share = kind.percent() / 100;
            long count = (long) (served * share / PERCENTILES.length);
            double rest = served * share - count * PERCENTILES.length;
            for (int percentile : PERCENTILES) {
                double spread = -Math.log(1 - percentile / 100.0);
                double seconds = base + costs.cpu() * (0.5 + 0.5 * spread) + waits * spread;
                long nanos = (long) (now * 1e9);
                long more = random.nextDouble() < rest / PERCENTILES.length ? 1 : 0;
                if (count + more > 0) {
                    tally.record(kind, nanos, nanos + (long) ((seconds + queue) * 1e9), count + more);
                    calls.recordValueWithCount(Math.min(MAX_MICROS, (long) (seconds * 1e6)), count + more);
                }
            }
        }
    }

    /** Returns the extra time of a write if other instances must be invalidated: locks from the store, and INVs. */
    private double round(Flow flow) {
        if (flow.instances == 1) {
            return 0;
        }
        double way = settings.network().roundTripNanos() / 1e9;
        return 2 * way + settings.store().readNanos() / 1e9 + (flow.instances - 1) * costs.invSend() + costs.invTake();
    }

    private void scale(Flow flow, double perSecond, double busy, double waits, double now) {
        ScaleSettings.Clients clients = settings.clients();
        double replaced =
                Math.min(clients.httpProbability() * perSecond, (double) clients.replacements() * clients.processes());
        double call = settings.service().httpInstanceNanos() / 1e9 + costs.cpu() + costs.readWay() + waits;
        double underWay = replaced * call;
        boolean full = busy >= 0.999;
        if (full) {
            underWay += (double) clients.httpInFlight() * clients.processes();
        }
        // A deployment's share of the gateway's maximum.
        long gateway = Math.max(1, settings.service().httpGatewayNanos());
        double most = 1e9 * settings.platform().gatewayProcessors() / gateway / flows.length;
        httpCalls += Math.min(Math.min(perSecond, most), underWay / Math.max(call, 1e-3)) * STEP_SECONDS;
        int wanted = (int) Math.ceil(underWay / settings.instance().concurrency());
        start(flow, Math.min(wanted, settings.platform().maxInstances()), now);
        // The instance used last is used again: instances beyond those that the calls need are idle, unless TCP keeps
        // them busy.
        boolean spare = flow.instances > Math.max(1, wanted) && busy < 0.3;
        if (!spare) {
            flow.spareSince = now;
        } else if (now - flow.spareSince >= settings.platform().keepAlive().toMillis() / 1e3) {
            flow.instances = Math.max(1, wanted);
        }
    }

    private void start(Flow flow, int wanted, double now) {
        int missing = wanted - flow.instances - flow.starting.size();
        if (missing <= 0) {
            return;
        }
        int all = 0;
        int underWay = 0;
        for (Flow each : flows) {
            all += each.instances + each.starting.size();
            underWay += each.starting.size();
        }
        int may = Math.min(
                missing,
                Math.min(settings.mostInstances() - all, settings.platform().startConcurrency() - underWay));
        for (int i = 0; i < may; i++) {
            flow.starting.add(now + coldStart());
            started++;
        }
    }

    private double coldStart() {
        return settings.platform().coldStartMillis() / 1e3;
    }

    /** Bills each millisecond in which anything was served. */
    private void bill(Flow flow, double perSecond, double lasts) {
        double each = perSecond / flow.instances;
        double share = 1 - Math.exp(-each * (1e-3 + lasts));
        double mbMillis = (double) flow.instances * settings.instance().memoryMb() * STEP_SECONDS * 1e3;
        billedMbMillis += share * mbMillis;
        provisionedMbMillis += mbMillis;
    }

    private double storeBusy(double rate) {
        ScaleSettings.Store has = settings.store();
        double busy = 0;
        for (Flow flow : flows) {
            long nanos = has.commitNanos() + (flow.instances > 1 ? has.readNanos() : 0);
            busy += rate * flow.share * costs.writes() * nanos / 1e9 / (has.shards() * has.processors());
        }
        return busy;
    }

    /** Notes the utilisation of the second that has passed. */
    private void look() {
        double most = 0;
        for (Flow flow : flows) {
            most = Math.max(most, flow.busy);
            flow.busy = 0;
        }
        hottest.note(most / STEPS_PER_SECOND);
        store.note(storeBusy / STEPS_PER_SECOND);
        storeBusy = 0;
        gateway.note((httpCalls - httpBefore)
                * settings.service().httpGatewayNanos()
                / 1e9
                / settings.platform().gatewayProcessors());
        httpBefore = httpCalls;
    }

    private Sample sample() {
        List<Integer> instances = new ArrayList<>();
        for (Flow flow : flows) {
            instances.add(flow.instances + flow.starting.size());
        }
        return new Sample(
                Agenda.ORIGIN_MILLIS,
                instances,
                0,
                prices.usd(Math.round(billedMbMillis), Math.round(httpCalls)),
                prices.usd(Math.round(provisionedMbMillis), 0),
                Math.round(served),
                Math.round(httpCalls),
                0,
                0);
    }

    private Map<String, Long> counts() {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("HTTP calls", Math.round(httpCalls));
        counts.put("INVs", Math.round(invalidations));
        counts.put("instances started", started);
        return counts;
    }
}
