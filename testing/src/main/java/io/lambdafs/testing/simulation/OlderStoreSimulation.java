package io.lambdafs.testing.simulation;

import io.lambdafs.client.CreateOptions;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.simulation.Agenda;
import io.lambdafs.simulation.SimulatedProcess;
import io.lambdafs.simulation.SimulatedTransport;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.format.Fsck;
import io.lambdafs.testing.simulation.cluster.SimulatedClient;
import io.lambdafs.testing.simulation.cluster.SimulatedCluster;
import io.lambdafs.testing.simulation.cluster.SimulatedInstance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Simulates a store that comes back older, under one seed: clients write, and everything written since some moment is
 * lost. Once the store answers again, each instance is read constantly and must return the store's content; numbers
 * issued in the lost time must not be reused. The coordinator does not notice. PROTOCOL: D6, D7. Not thread-safe.
 */
public final class OlderStoreSimulation {
    private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int LANES = 6;
    private static final int DIRECTORIES = 3;
    private static final int FILES = 5;
    private static final int NEW_FILES = 8;
    private static final long DEADLINE_MILLIS = 60_000;
    /** Time for which the instances are probed. */
    private static final long WATCHED = 4 * SECOND;

    private static final String NONE = "none";
    private static final CreateOptions OVERWRITE = CreateOptions.DEFAULT.withOverwrite(true);

    private final Agenda agenda;
    private final SimulatedCluster cluster;
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final List<FsPath> paths = new ArrayList<>();
    /** The store's content at each path since it came back, with start times. */
    private final Map<FsPath, List<Held>> history = new LinkedHashMap<>();

    private boolean asking = true;
    private long serves = Long.MAX_VALUE;
    private long answersFromCaches;
    private @Nullable String violation;

    /** @param since start time in nanoseconds */
    private record Held(long since, String state) {}

    /**
     * The outcome of a run.
     *
     * @param violation null if nothing went wrong
     * @param answersFromCaches number of cached answers compared with the store
     */
    public record Outcome(@Nullable String violation, long answersFromCaches) {}

    private OlderStoreSimulation(long seed) {
        agenda = new Agenda(seed);
        cluster = new SimulatedCluster(agenda, new Unobserved(), SimulatedCluster.Kind.CONFIRMED);
        for (int i = 0; i < DIRECTORIES; i++) {
            FsPath directory = FsPath.of("/d" + i);
            for (int j = 0; j < FILES; j++) {
                paths.add(FsPath.of(directory + "/f" + j));
            }
        }
    }

    private static final class Unobserved implements SimulatedTransport.Observer {
        @Override
        public void request(SimulatedProcess from, SimulatedProcess to, Message message) {}

        @Override
        public void reply(SimulatedProcess from, SimulatedProcess to, Message request, Message reply) {}
    }

    /** Runs the scenario. */
    public static Outcome run(long seed) {
        OlderStoreSimulation simulation = new OlderStoreSimulation(seed);
        simulation.play();
        return new Outcome(simulation.violation, simulation.answersFromCaches);
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

    private void violated(String what) {
        violation = violation == null ? what : violation;
    }

    private void play() {
        for (int i = 0; i < 2; i++) {
            clients.add(new SimulatedClient(cluster, cluster.process("client" + i), i == 0));
        }
        List<CompletionStage<Boolean>> made = new ArrayList<>();
        for (int i = 0; i < DIRECTORIES; i++) {
            made.add(client().mkdirs(FsPath.of("/d" + i), 0755));
        }
        until(made);
        for (int i = 0; i < LANES; i++) {
            ask();
        }
        pass(2 * SECOND + agenda.within(SECOND));
        List<Row> older = List.copyOf(cluster.engine.rows());
        Set<Long> given = new HashSet<>();
        cluster.watch(() -> given.addAll(ids(cluster.engine.rows())));
        newcomers();
        pass(700 * MILLISECOND + agenda.within(2 * SECOND));
        given.removeAll(ids(older));
        loseWhatCameAfter(older, given);
    }

    /** Starts instances whose epochs and INode numbers are issued in the lost time. */
    private void newcomers() {
        List<SimulatedInstance> all = cluster.instances();
        for (int i = 0; i < 2 && !all.isEmpty(); i++) {
            all.get(agenda.random().nextInt(all.size())).kill();
            all = cluster.instances();
        }
    }

    /** @param lost numbers of INodes created only since then */
    private void loseWhatCameAfter(List<Row> older, Set<Long> lost) {
        asking = false;
        serves = cluster.comeBackOlder(older, this::note);
        note();
        freezeSomebody();
        probe();
        pass(serves - agenda.now() + WATCHED);
        serves = Long.MAX_VALUE;
        cluster.calm();
        // Instances started now know no earlier numbers.
        List.copyOf(cluster.instances()).forEach(SimulatedInstance::kill);
        List<CompletionStage<Boolean>> made = new ArrayList<>();
        for (int i = 0; i < NEW_FILES; i++) {
            FsPath path = FsPath.of("/d0/new" + i);
            made.add(client().create(path, new byte[0], CreateOptions.DEFAULT).thenApply(done -> true));
        }
        until(made);
        pass(SECOND);
        Set<Long> again = ids(cluster.engine.rows());
        again.removeAll(ids(older));
        again.retainAll(lost);
        if (!again.isEmpty()) {
            violated("these numbers of INodes were given out twice: " + again);
        }
        List<String> problems = Fsck.check(cluster.engine.rows()).problems();
        if (!problems.isEmpty()) {
            violated("the store is not whole:\n  " + String.join("\n  ", problems));
        }
    }

    /** Freezes an instance until the store answers again, or a little longer. */
    private void freezeSomebody() {
        List<SimulatedInstance> all = cluster.instances();
        if (!all.isEmpty() && agenda.chance(0.5)) {
            SimulatedProcess one = all.get(agenda.random().nextInt(all.size())).process();
            one.freeze();
            agenda.at(serves + agenda.within(200 * MILLISECOND), one::thaw);
        }
    }

    private static Set<Long> ids(List<Row> rows) {
        Set<Long> ids = new HashSet<>();
        rows.stream()
                .filter(each -> each.key().table().equals(Schema.INODES))
                .forEach(each -> ids.add(Rows.inode(each).id()));
        return ids;
    }

    private io.lambdafs.client.LambdaFs client() {
        return clients.get(agenda.random().nextInt(clients.size())).of(SimulatedClient.ROOT);
    }

    private FsPath path() {
        return paths.get(agenda.random().nextInt(paths.size()));
    }

    /** Makes requests sequentially, ignoring the answers. */
    private void ask() {
        if (!asking) {
            return;
        }
        FsPath path = path();
        CompletionStage<?> asked = switch (agenda.random().nextInt(8)) {
            case 0, 1 -> client().create(path, new byte[4], OVERWRITE);
            case 2 -> client().delete(path, false);
            case 3 -> client().rename(path, path(), RenameMode.OVERWRITE);
            default -> client().stat(path);
        };
        asked.whenComplete((answer, failure) -> agenda.after(agenda.within(4 * MILLISECOND), this::ask));
    }

    private void note() {
        Map<List<Object>, INode> there = new HashMap<>();
        for (Row row : cluster.engine.rows()) {
            if (row.key().table().equals(Schema.INODES)) {
                INode node = Rows.inode(row);
                there.put(List.of(node.parentId(), node.name()), node);
            }
        }
        for (FsPath path : paths) {
            INode directory = there.get(List.<Object>of(INode.ROOT_ID, path.name(0)));
            INode file = directory == null ? null : there.get(List.<Object>of(directory.id(), path.name(1)));
            String state = file == null ? NONE : Long.toString(file.id());
            List<Held> held = history.computeIfAbsent(path, none -> new ArrayList<>());
            if (held.isEmpty() || !held.get(held.size() - 1).state().equals(state)) {
                held.add(new Held(agenda.now(), state));
            }
        }
    }

    /** Probes every instance repeatedly. */
    private void probe() {
        if (serves == Long.MAX_VALUE) {
            return;
        }
        for (SimulatedInstance each : List.copyOf(cluster.instances())) {
            FsPath path = path();
            long sent = agenda.now();
            RequestId id = new RequestId(0, 0, 0, 0);
            long deadline = cluster.storeProcess.currentTimeMillis() + DEADLINE_MILLIS;
            OperationRequest request = new OperationRequest(
                    0, id, 1, deadline, new ReadOperation.Stat(path), OperationRequest.ANY_GENERATION);
            each.serve(SimulatedClient.ROOT, request, reply -> answered(path, sent, reply));
        }
        agenda.after(MILLISECOND + agenda.within(4 * MILLISECOND), this::probe);
    }

    private void answered(FsPath path, long sent, OperationReply reply) {
        if (sent < serves || serves == Long.MAX_VALUE || !Recorder.isDecision(reply.reply())) {
            return;
        }
        answersFromCaches += reply.cacheHit() ? 1 : 0;
        String answer = reply.reply() instanceof Reply.Status status
                ? Long.toString(status.attributes().id())
                : reply.reply() instanceof Reply.Failure failure && failure.code() == ErrorCode.NOT_FOUND
                        ? NONE
                        : reply.toString();
        List<Held> held = history.getOrDefault(path, List.of());
        for (int i = 0; i < held.size(); i++) {
            boolean overBefore = i + 1 < held.size() && held.get(i + 1).since() < sent;
            if (!overBefore && held.get(i).state().equals(answer)) {
                return;
            }
        }
        violated("at " + path + " the store has held " + held + ", and an instance, asked at " + sent + ", answers "
                + reply);
    }

    private void until(List<? extends CompletionStage<?>> all) {
        int[] left = {all.size()};
        all.forEach(each -> each.whenComplete((answer, failure) -> {
            left[0]--;
            if (failure != null) {
                violated("a call failed: " + failure);
            }
        }));
        long end = agenda.now() + 60 * SECOND;
        while (left[0] > 0 && agenda.now() < end && agenda.next()) {
            // Time goes on.
        }
        if (left[0] > 0) {
            violated(left[0] + " calls are not answered after a minute");
        }
    }

    private void pass(long nanos) {
        long end = agenda.now() + nanos;
        boolean[] over = {false};
        agenda.at(end, () -> over[0] = true);
        while (!over[0] && violation == null && agenda.next()) {
            // Time goes on.
        }
    }
}
