package io.lambdafs.hammer.scale;

import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.hammer.plan.Zipf;
import io.lambdafs.hammer.replay.Replay;
import io.lambdafs.hammer.result.FailureLog;
import io.lambdafs.hammer.result.Latency;
import io.lambdafs.hammer.result.Measured;
import io.lambdafs.hammer.result.Sample;
import io.lambdafs.hammer.result.SeriesPoint;
import io.lambdafs.hammer.result.ServerfulFleet;
import io.lambdafs.hammer.result.Tally;
import io.lambdafs.hammer.workload.OperationKind;
import io.lambdafs.hammer.workload.Schedule;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.platform.Prices;
import io.lambdafs.platform.local.pool.UsageView;
import io.lambdafs.simulation.Agenda;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One load on a simulated cluster, open loop: arrivals wait while the window is full, and their waiting counts. Not
 * thread-safe.
 */
final class ScaleRun {
    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final long DRAIN_NANOS = 60 * SECOND_NANOS;
    private static final long MAX_MICROS = 3_600_000_000L;
    private static final int PAGE = 1_000;
    private static final byte[] NOTHING = {};

    private final String scenario;
    private final ScaleSettings settings;
    private final Agenda agenda;
    private final ScaleCluster cluster;
    private final Names names;
    private final Zipf popularity;
    private final Schedule.Cursor arrivals;
    private final List<Seat> seats = new ArrayList<>();
    private final FailureLog failures = new FailureLog();
    private final Histogram calls = new Histogram(MAX_MICROS, 3);
    private final Prices prices = Prices.lambda();
    private long origin;
    private long offered;
    private long ended;
    private long done;
    private long lastEnd;
    private int next;

    /** A process of the load, its operations in flight, and those that wait in it. */
    private static final class Seat {
        final ScaleCluster.Client client;
        final Deque<Due> waiting = new ArrayDeque<>();
        int underWay;

        Seat(ScaleCluster.Client client) {
            this.client = client;
        }
    }

    private record Due(OperationKind kind, long intended) {}

    private ScaleRun(String scenario, ScaleSettings settings, long seed) {
        this.scenario = scenario;
        this.settings = settings;
        this.agenda = new Agenda(seed);
        this.cluster = new ScaleCluster(agenda, settings);
        ScaleSettings.Namespace namespace = settings.namespace();
        this.names = new Names(namespace.directories(), namespace.filesPerDirectory());
        this.popularity = new Zipf(namespace.directories(), namespace.zipf());
        this.arrivals = new Schedule(settings.workload()).cursor();
        cluster.clients().forEach(client -> seats.add(new Seat(client)));
    }

    /**
     * Runs the simulation.
     *
     * @param seed of everything: the same one gives the same result to the last digit
     * @param progress receives each simulated second
     */
    static ScaleResult run(String scenario, Map<String, Double> values, long seed, Consumer<SeriesPoint> progress) {
        return run(scenario, ScaleSettings.of(values, seed), seed, progress);
    }

    /** @param seed of every random choice except those of the load, whose seed is in the settings */
    static ScaleResult run(String scenario, ScaleSettings settings, long seed, Consumer<SeriesPoint> progress) {
        return new ScaleRun(scenario, settings, seed).run(progress);
    }

    private ScaleResult run(Consumer<SeriesPoint> progress) {
        if (!settings.clients().coldCache()) {
            warmUp();
        }
        origin = agenda.now();
        long usedBefore = cluster.machineUsedNanos();
        Schedule schedule = new Schedule(settings.workload());
        Tally tally = new Tally(sample(), schedule::isBurst);
        Gauges gauges = new Gauges(cluster);
        long length = settings.workload().length().toNanos();
        arrive(tally);
        int second = 1;
        while (arrivals.present() || ended < offered) {
            long due = origin + second * SECOND_NANOS;
            agenda.at(due, () -> {});
            while (agenda.now() < due && agenda.next()) {}
            Replay.checkInterrupt();
            gauges.look();
            progress.accept(tally.close(second, offered, offered - ended, sample()));
            second++;
            if (agenda.now() - origin > length + DRAIN_NANOS) {
                break;
            }
        }
        for (long undone = ended; undone < offered; undone++) {
            failures.add(
                    (agenda.now() - origin) / 1e9,
                    "an operation",
                    "not done " + DRAIN_NANOS / SECOND_NANOS + " s after the load's end");
        }
        double seconds = Math.max(lastEnd, length) / 1e9;
        ServerfulFleet fleet =
                new ServerfulFleet(settings.instance().vcpu(), ServerfulFleet.R5_4XLARGE_USD_PER_VCPU_HOUR);
        Measured measured = new Measured(tally, failures, offered, done, seconds);
        return new ScaleResult(
                scenario,
                measured.result(
                        new Measured.Basis(
                                length / 1e9, fleet, settings.workload().seed()),
                        ScaleResult.shown(scenario, settings)),
                Latency.of(calls),
                gauges.parts(),
                counts(),
                (cluster.machineUsedNanos() - usedBefore) / 1e9,
                settings.values());
    }

    /** Starts an instance of each deployment, with everything cached, as after an import. */
    private void warmUp() {
        CompletableFuture<Void> awake = seats.get(0).client.fs().warmUp().toCompletableFuture();
        while (!awake.isDone() && agenda.next()) {}
        for (Seat seat : seats) {
            CompletableFuture<Void> each = seat.client.fs().warmUp().toCompletableFuture();
            while (!each.isDone() && agenda.next()) {}
        }
        for (ScaleInstance instance : cluster.instances()) {
            ModelCache cache = instance.cache();
            if (cache != null) {
                for (int i = 0; i < settings.namespace().directories(); i++) {
                    cache.fillListing(i, cache.ticket(i));
                }
            }
        }
    }

    private void arrive(Tally tally) {
        if (!arrivals.present()) {
            return;
        }
        agenda.at(origin + arrivals.nanos(), () -> {
            Due due = new Due(arrivals.kind(), arrivals.nanos());
            offered++;
            Seat seat = seats.get(next);
            next = (next + 1) % seats.size();
            if (seat.underWay < settings.clients().window()) {
                start(seat, due, tally);
            } else {
                seat.waiting.add(due);
            }
            arrivals.advance();
            arrive(tally);
        });
    }

    private void start(Seat seat, Due due, Tally tally) {
        seat.underWay++;
        long began = agenda.now();
        long half = settings.service().clientNanos() / 2;
        Operation<?> operation = operation(due.kind);
        seat.client
                .processors()
                .work(
                        half,
                        () -> seat.client
                                .fs()
                                .execute(operation)
                                .whenComplete((reply, failure) -> seat.client
                                        .processors()
                                        .work(half, () -> end(seat, due, began, failure, tally))));
    }

    private void end(Seat seat, Due due, long began, @Nullable Throwable failure, Tally tally) {
        seat.underWay--;
        ended++;
        long now = agenda.now();
        lastEnd = now - origin;
        if (failure != null) {
            failures.add(
                    due.intended / 1e9,
                    due.kind.label(),
                    String.valueOf(FsException.of(failure).getMessage()));
        } else {
            done++;
            tally.record(due.kind, due.intended, now - origin);
            calls.recordValue(Math.min(MAX_MICROS, (now - began) / 1_000));
        }
        Due first = seat.waiting.poll();
        if (first != null) {
            start(seat, first, tally);
        }
    }

    private Operation<?> operation(OperationKind kind) {
        RandomGenerator random = agenda.random();
        double hot = settings.namespace().hotShare();
        int directory = hot > 0 && random.nextDouble() < hot ? 0 : popularity.draw(random);
        int count = settings.namespace().filesPerDirectory();
        int file = random.nextInt(count);
        FsPath path = names.file(directory, file);
        return switch (kind) {
            case READ -> new ReadOperation.Open(path, 0);
            case STAT -> new ReadOperation.Stat(path);
            case LS -> new ReadOperation.ListPage(names.directory(directory), "", PAGE);
            case CREATE -> new FileOperation.Create(path, 0644, 0644, true, false, 1, 1 << 20, NOTHING, null);
            case MKDIRS -> new NamespaceOperation.Mkdirs(path, 0755, 0755, false);
            case DELETE -> new NamespaceOperation.Delete(path, false);
            case MV ->
                new NamespaceOperation.Rename(
                        path, names.file(directory, (file + 1) % count), Operation.RenameMode.OVERWRITE);
        };
    }

    private Sample sample() {
        UsageView usage = cluster.gateway().pool().usage();
        UsageView.Deployment all = usage.total();
        List<Integer> instances = new ArrayList<>();
        usage.deployments().values().forEach(each -> instances.add(each.instances()));
        long http = 0;
        long tcp = 0;
        long hits = 0;
        long misses = 0;
        for (Seat seat : seats) {
            ClientMetrics.Snapshot told = seat.client.fs().metrics().snapshot();
            http += told.http();
            tcp += told.tcp();
            hits += told.cacheHits();
            misses += told.cacheMisses();
        }
        return new Sample(
                Agenda.ORIGIN_MILLIS + (agenda.now() - origin) / 1_000_000,
                instances,
                all.billedMillis(),
                prices.usd(all.billedMbMillis(), all.activations()),
                prices.usd(all.provisionedMbMillis(), 0),
                tcp + http,
                http,
                hits,
                misses);
    }

    private Map<String, Long> counts() {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (Seat seat : seats) {
            ClientMetrics.Snapshot told = seat.client.fs().metrics().snapshot();
            counts.merge("HTTP calls", told.http(), Long::sum);
            counts.merge("replaced by HTTP", told.replaced(), Long::sum);
            counts.merge("refused as too many", told.overloaded(), Long::sum);
            counts.merge("stragglers", told.stragglers(), Long::sum);
            counts.merge("anti-thrashing", told.thrashings(), Long::sum);
            counts.merge(
                    "retries",
                    told.retries().values().stream().mapToLong(Long::longValue).sum(),
                    Long::sum);
        }
        counts.put("INVs", cluster.members().invalidations());
        counts.put("rounds", cluster.members().rounds());
        counts.put("instances started", cluster.started());
        return counts;
    }
}
