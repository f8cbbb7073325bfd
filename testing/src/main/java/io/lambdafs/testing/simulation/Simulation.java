package io.lambdafs.testing.simulation;

import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.functions.namenode.Slots;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.simulation.Agenda;
import io.lambdafs.simulation.SimulatedProcess;
import io.lambdafs.simulation.SimulatedTransport;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import io.lambdafs.store.format.Fsck;
import io.lambdafs.testing.simulation.cluster.SimulatedClient;
import io.lambdafs.testing.simulation.cluster.SimulatedCluster;
import io.lambdafs.testing.simulation.cluster.SimulatedInstance;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Simulates the whole system under one seed: workers of three client processes make requests while faults are injected;
 * then everything heals, every live instance is asked for everything, and the store is checked. Not thread-safe.
 */
public final class Simulation {
    /** In one in this many seeds some instances cache nothing. */
    private static final int MIXED = 4;
    /** In one in this many seeds the number of deployments changes repeatedly. */
    private static final int RESIZED = 4;
    /** In one in this many seeds instances are paused between calls. */
    private static final int PAUSED = 8;

    private static final int WORKERS = 9;
    private static final int OPERATIONS = 5_000;
    /** Number of operations in a run where each is a join and a leave. */
    private static final int PAUSED_OPERATIONS = 1_500;
    /**
     * At most one unknown outcome per this many faults, plus one per worker: four times the average. Not relative to
     * operations, because a run with slow operations has three hundred times the faults.
     */
    private static final long FAULTS_PER_UNKNOWN = 12;
    /** The same if each operation goes by HTTP and each killed or partitioned instance has one in progress. */
    private static final long PAUSED_FAULTS_PER_UNKNOWN = 2;

    /** Probability per operation, with short slot lives. */
    private static final double SILENCE = 1.0 / 1_500;

    private static final long SECOND = 1_000_000_000L;
    /** Maximum time from the end of the faults to the last answer, in nanoseconds: I7. */
    private static final long QUIET_LIMIT = 60 * SECOND;
    /** Seeds up to this one, used for planted bugs, have no legacy rename, so that their outcomes stay the same. */
    static final long WITHOUT_LEGACY = 1_000;

    /**
     * The outcome of a run.
     *
     * @param violation null if nothing went wrong
     * @param hash of the history, determined by seed and code
     */
    public record Outcome(long seed, @Nullable String violation, long hash, Statistics statistics) {}

    /**
     * Statistics of one or several runs.
     *
     * @param operations checked
     * @param hits reads answered from a cache
     * @param awaiting writes that waited for other instances' acknowledgements
     * @param subtrees subtree operations
     * @param unknown operations without an answer
     * @param denied writes refused for lack of permission
     * @param stragglers attempts given up for taking too long and repeated elsewhere
     * @param strays requests sent to an instance of another deployment
     * @param cacheless instances that cached nothing
     * @param resizes changes of the number of deployments
     * @param pauses of instances between two calls
     * @param givenUp runs not fully checked because too many orders were possible
     */
    public record Statistics(
            long operations,
            long reads,
            long hits,
            long writes,
            long awaiting,
            long subtrees,
            long unknown,
            long denied,
            long twins,
            long faults,
            long stragglers,
            long strays,
            long cacheless,
            long resizes,
            long pauses,
            long simulatedMillis,
            int mostStates,
            int givenUp) {
        public static final Statistics NONE = new Statistics(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

        /** Returns the sum of both. */
        public Statistics plus(Statistics more) {
            return new Statistics(
                    operations + more.operations,
                    reads + more.reads,
                    hits + more.hits,
                    writes + more.writes,
                    awaiting + more.awaiting,
                    subtrees + more.subtrees,
                    unknown + more.unknown,
                    denied + more.denied,
                    twins + more.twins,
                    faults + more.faults,
                    stragglers + more.stragglers,
                    strays + more.strays,
                    cacheless + more.cacheless,
                    resizes + more.resizes,
                    pauses + more.pauses,
                    simulatedMillis + more.simulatedMillis,
                    Math.max(mostStates, more.mostStates),
                    givenUp + more.givenUp);
        }
    }

    private final long seed;
    private final Agenda agenda;
    private final Recorder recorder;
    private final SimulatedCluster cluster;
    private final Workload workload;
    private final Faults faults;
    private final Resizes resizes;
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    private final Deque<Operation<?>> beginning = new ArrayDeque<>(Workload.beginning());
    /** Until when clients are silent. */
    private final Map<SimulatedClient, Long> silentUntil = new HashMap<>();

    private long left;
    private int working;
    private int clientsMade;
    private long stragglers;
    private long strays;

    private Simulation(long seed) {
        this.seed = seed;
        this.agenda = new Agenda(seed);
        this.recorder = new Recorder(agenda, this::ofSlot);
        SimulatedCluster.Kind kind = kind(seed);
        this.left = kind == SimulatedCluster.Kind.PAUSED ? PAUSED_OPERATIONS : OPERATIONS;
        this.cluster = new SimulatedCluster(agenda, new Watcher(), kind);
        this.workload = new Workload(agenda.random(), seed > WITHOUT_LEGACY);
        this.faults = new Faults(cluster, new Clients(), recorder.counts());
        this.resizes = new Resizes(cluster);
    }

    private static SimulatedCluster.Kind kind(long seed) {
        if (Math.floorMod(seed, MIXED) == MIXED - 1) {
            return SimulatedCluster.Kind.MIXED;
        }
        return Math.floorMod(seed, PAUSED) == PAUSED - 2 ? SimulatedCluster.Kind.PAUSED : SimulatedCluster.Kind.ALIKE;
    }

    /** Runs the scenario; the same seed gives exactly the same outcome. */
    public static Outcome run(long seed) {
        return new Simulation(seed).run();
    }

    /** Returns the first failing seed of a range; -1 if none fails. */
    public static long firstFailing(long first, int seeds) {
        for (long seed = first; seed < first + seeds; seed++) {
            if (run(seed).violation() != null) {
                return seed;
            }
        }
        return -1;
    }

    /** Observes messages and sends twins of some. */
    private final class Watcher implements SimulatedTransport.Observer {
        @Override
        public void request(SimulatedProcess from, SimulatedProcess to, Message message) {
            recorder.request(from, to, message);
            if (message instanceof OperationRequest request
                    && request.operation().isWrite()
                    && agenda.chance(cluster.conditions.twin)) {
                agenda.after(agenda.within(cluster.conditions.twinNanos), () -> twin(request));
            }
        }

        @Override
        public void reply(SimulatedProcess from, SimulatedProcess to, Message request, Message reply) {
            recorder.reply(from, to, request, reply);
        }
    }

    /** Delivers a request once more to some instance, possibly long after it was answered. */
    private void twin(OperationRequest request) {
        List<SimulatedInstance> all = cluster.instances();
        if (all.isEmpty()) {
            return;
        }
        recorder.counts().twins++;
        all.get(agenda.random().nextInt(all.size()))
                .serve(recorder.caller(request.operation()), request, reply -> recorder.replied(request, reply));
    }

    private final class Clients implements Faults.Clients {
        @Override
        public List<SimulatedClient> all() {
            return clients;
        }

        @Override
        public void replace(SimulatedClient client) {
            int at = clients.indexOf(client);
            client.process().kill();
            tally(client);
            SimulatedClient next = client(at != 1);
            clients.set(at, next);
            workers.stream().filter(worker -> worker.client() == client).forEach(worker -> worker.moveTo(next));
        }
    }

    private SimulatedClient client(boolean tcp) {
        return new SimulatedClient(cluster, cluster.process("client" + clientsMade++), tcp);
    }

    private final class Run implements Worker.Run {
        @Override
        public @Nullable Operation<?> next(Principal who) {
            boolean superuser = who.equals(SimulatedClient.ROOT);
            if (recorder.violation() != null) {
                return null;
            }
            Operation<?> first = superuser ? beginning.poll() : null;
            if (first != null) {
                return first;
            }
            if (left == 0) {
                return null;
            }
            left--;
            boolean writes = agenda.chance(superuser ? 0.45 : 0.18);
            Operation<?> operation = writes ? workload.write(who) : workload.read();
            recorder.counts().subtreeOperations += Workload.isSubtree(operation) ? 1 : 0;
            return operation;
        }

        @Override
        public @Nullable SimulatedInstance stray() {
            List<SimulatedInstance> all = cluster.instances();
            return all.isEmpty() ? null : all.get(agenda.random().nextInt(all.size()));
        }

        /** Draws a client's silence, which with short slot lives is sometimes longer. */
        @Override
        public long silenceNanos(SimulatedClient client) {
            if (slotsAreSwept() && left > 0 && agenda.chance(SILENCE)) {
                long life = cluster.slotLife.toNanos();
                silentUntil.put(client, agenda.now() + life + agenda.within(life / 4));
            }
            return Math.max(0, silentUntil.getOrDefault(client, 0L) - agenda.now());
        }

        @Override
        public void made(FileOperation.Create create, Reply.Status status) {
            workload.made(create, status);
        }

        @Override
        public void finished() {
            working--;
        }
    }

    private void tally(SimulatedClient client) {
        for (ClientMetrics.Snapshot each : client.metrics()) {
            stragglers += each.stragglers();
            strays += each.strays();
        }
    }

    private Outcome run() {
        try {
            play();
        } catch (RuntimeException | AssertionError failure) {
            java.io.StringWriter text = new java.io.StringWriter();
            failure.printStackTrace(new java.io.PrintWriter(text));
            recorder.violated("the code failed: " + text);
        }
        clients.forEach(this::tally);
        Recorder.Counts counts = recorder.counts();
        return new Outcome(
                seed,
                recorder.violation(),
                recorder.hash(),
                new Statistics(
                        counts.operations,
                        counts.reads,
                        counts.hits,
                        counts.writes,
                        counts.rounds,
                        counts.subtreeOperations,
                        counts.unknown,
                        counts.denied,
                        counts.twins,
                        counts.faults,
                        stragglers,
                        strays,
                        cluster.cacheless,
                        resizes.count(),
                        cluster.gateway.pauses(),
                        (agenda.now() - Agenda.ORIGIN) / 1_000_000,
                        recorder.mostStates(),
                        recorder.gaveUp() ? 1 : 0));
    }

    private void play() {
        for (int i = 0; i < 3; i++) {
            clients.add(client(i != 1));
        }
        Worker.Context context = new Worker.Context(new Run(), agenda, recorder);
        for (int i = 0; i < WORKERS; i++) {
            Worker worker = new Worker(i, context, clients.get(i % 3));
            workers.add(worker);
            working++;
            worker.start();
        }
        faults.start();
        if (Math.floorMod(seed, RESIZED) == 1) {
            resizes.start();
        }
        while (working > 0 && left > 0 && recorder.violation() == null && agenda.next()) {
            // Time goes on.
        }
        faults.stop();
        resizes.stop();
        cluster.calm();
        clients.forEach(client -> client.process().thaw());
        until(
                () -> working == 0,
                () -> workers.stream().filter(Worker::isBusy).toList().toString());
        until(() -> !resizes.isUnderWay(), () -> "a change of the number of deployments");
        pass(4 * SECOND);
        cluster.calm();
        clients.forEach(client -> client.process().thaw());
        recorder.loadIsOver();
        boolean asked = recorder.violation() == null && new FinalLook(cluster, agenda, recorder).run(this::until);
        if (recorder.violation() == null) {
            pass(SimulatedCluster.TIMES.deadline().toNanos() + 2 * SECOND);
            lookThroughStore(asked);
            lookForSlots();
        }
        Recorder.Counts counts = recorder.counts();
        if (counts.unknown
                > WORKERS + counts.faults / (cluster.paused ? PAUSED_FAULTS_PER_UNKNOWN : FAULTS_PER_UNKNOWN)) {
            recorder.violated(counts.unknown + " of " + counts.operations
                    + " operations ended with an unknown outcome, under " + counts.faults + " faults");
        }
    }

    /** Returns whether slots are so short-lived that they expire within the run. */
    private boolean slotsAreSwept() {
        return cluster.slotLife.compareTo(SimulatedCluster.TIMES.slotLife()) < 0;
    }

    /** Checks that expired slots have been swept. */
    private void lookForSlots() {
        List<SimulatedInstance> before = List.copyOf(cluster.instances());
        if (!slotsAreSwept() || before.isEmpty()) {
            return;
        }
        pass(2 * cluster.slotLife.toNanos());
        List<Table> left = cluster.engine.rows().stream()
                .map(row -> row.key().table())
                .filter(table -> table.equals(Schema.SLOTS) || table.equals(Schema.CLIENTS))
                .distinct()
                .toList();
        if (!left.isEmpty() && cluster.instances().containsAll(before)) {
            recorder.violated(
                    "every client session has been silent for longer than a slot lives, and there are rows in " + left);
        }
    }

    /** Returns the store's answer to a retry; null if it has not seen the request. */
    private @Nullable Reply ofSlot(RequestId id) {
        CompletableFuture<List<@Nullable Row>> read = cluster.engine
                .begin(0)
                .read(List.of(Read.unlocked(Slots.key(id))), 0)
                .toCompletableFuture();
        return Slots.answered(id, read.join().get(0));
    }

    /** @param asked whether an instance remained to find and end the work of killed ones */
    private void lookThroughStore(boolean asked) {
        Fsck.Report report = Fsck.check(cluster.engine.rows());
        List<String> found = new ArrayList<>(report.problems());
        // Instances paused between calls reclaim nothing meanwhile.
        if (asked && !cluster.paused) {
            found.addAll(report.unfinished());
        }
        if (!found.isEmpty()) {
            recorder.violated("the store is not whole:\n  " + String.join("\n  ", found));
        }
        List<String> unlike = ReplayedChanges.differences(cluster.engine);
        if (!unlike.isEmpty()) {
            recorder.violated(
                    "the change log does not lead to what the store holds:\n  " + String.join("\n  ", unlike));
        }
    }

    private void pass(long nanos) {
        long end = agenda.now() + nanos;
        boolean[] over = {false};
        agenda.at(end, () -> over[0] = true);
        while (!over[0] && recorder.violation() == null && agenda.next()) {
            // Time goes on.
        }
    }

    private void until(BooleanSupplier condition, Supplier<String> what) {
        long end = agenda.now() + QUIET_LIMIT;
        while (!condition.getAsBoolean() && recorder.violation() == null && agenda.next()) {
            if (agenda.now() > end) {
                recorder.violated("what was under way did not end within " + QUIET_LIMIT / SECOND
                        + " s after everything had healed: " + what.get());
            }
        }
    }
}
