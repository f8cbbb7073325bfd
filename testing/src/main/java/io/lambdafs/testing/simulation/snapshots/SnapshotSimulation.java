package io.lambdafs.testing.simulation.snapshots;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.AttributeOperation.ChangeSnapshots;
import io.lambdafs.model.operation.AttributeOperation.ChangeSnapshots.Action;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.simulation.Agenda;
import io.lambdafs.simulation.SimulatedProcess;
import io.lambdafs.simulation.SimulatedTransport;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.block.Datanode;
import io.lambdafs.store.format.Fsck;
import io.lambdafs.testing.simulation.Faults;
import io.lambdafs.testing.simulation.cluster.SimulatedClient;
import io.lambdafs.testing.simulation.cluster.SimulatedCluster;
import io.lambdafs.testing.simulation.cluster.SimulatedInstance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Simulates directories with snapshots under one seed: archivists change what is below them, move trees within, in and out, remove
 * whole ones, make, rename and delete snapshots, and read what these see, with the faults of {@link Faults}. When a snapshot is
 * committed, the tree is copied, and it must be read exactly so as long as the snapshot is there; no content that it saw goes (PROTOCOL: I12).
 * In the end the store is whole, and nothing is kept that no snapshot sees. Not thread-safe.
 */
public final class SnapshotSimulation {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int ARCHIVISTS = 12;
    /** Probability of a late copy of a write, when no fault makes more of them. */
    private static final double TWIN = 0.15;

    private static final long LOAD = 40 * SECOND;
    /** Longer than any request, and than what the dead have left takes to be found. */
    private static final long QUIET = 60 * SECOND;
    /** In so many commits one is followed by a recount. */
    private static final int RECOUNTED = 50;

    private static final FsPath NEVER = FsPath.of("/never");
    private static final List<FsPath> KEPT = List.of(FsPath.of("/k0"), FsPath.of("/k1"), NEVER);

    private final Agenda agenda;
    private final SimulatedCluster cluster;
    private final Faults faults;
    private final SnapshotModel model = new SnapshotModel();
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final List<Archivist> archivists = new ArrayList<>();
    /** Paths at which something may be. */
    private final List<FsPath> known = new ArrayList<>();
    /** The directories that may have snapshots, by id. */
    private final Map<Long, FsPath> directories = new HashMap<>();

    private final Map<Long, FsPath> paths = new HashMap<>();
    /** Since when a snapshot has been at a path. */
    private final Map<FsPath, Long> since = new HashMap<>();

    private boolean goesOn = true;
    private int clientsMade;
    private long names;
    private long commits;
    private long compared;
    private long made;
    private @Nullable String violation;

    /**
     * The outcome of a run.
     *
     * @param violation null if nothing went wrong
     * @param made snapshots
     * @param compared answers from snapshots that were compared with what was there
     */
    public record Outcome(@Nullable String violation, long made, long compared) {}

    private SnapshotSimulation(long seed) {
        agenda = new Agenda(seed);
        cluster = new SimulatedCluster(agenda, new Watcher(), SimulatedCluster.Kind.ALIKE);
        faults = new Faults(cluster, new Clients());
    }

    /** Runs the scenario; the same seed gives the same outcome. */
    public static Outcome run(long seed) {
        SnapshotSimulation simulation = new SnapshotSimulation(seed);
        try {
            simulation.play();
        } catch (RuntimeException | AssertionError failure) {
            java.io.StringWriter text = new java.io.StringWriter();
            failure.printStackTrace(new java.io.PrintWriter(text));
            simulation.violated("the code failed: " + text);
        }
        return new Outcome(simulation.violation, simulation.made, simulation.compared);
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

    /** Sends twins of some requests. */
    private final class Watcher implements SimulatedTransport.Observer {
        @Override
        public void request(SimulatedProcess from, SimulatedProcess to, Message message) {
            if (message instanceof OperationRequest request
                    && request.operation().isWrite()
                    && agenda.chance(Math.max(TWIN, cluster.conditions.twin))) {
                agenda.after(agenda.within(Math.max(SECOND, cluster.conditions.twinNanos)), () -> {
                    List<SimulatedInstance> all = cluster.instances();
                    if (!all.isEmpty()) {
                        all.get(agenda.random().nextInt(all.size())).serve(SimulatedClient.ROOT, request, reply -> {});
                    }
                });
            }
        }

        @Override
        public void reply(SimulatedProcess from, SimulatedProcess to, Message request, Message reply) {}
    }

    private final class Clients implements Faults.Clients {
        @Override
        public List<SimulatedClient> all() {
            return clients;
        }

        @Override
        public void replace(SimulatedClient client) {
            client.process().kill();
            SimulatedClient next = client();
            clients.set(clients.indexOf(client), next);
            archivists.stream().filter(each -> each.client() == client).forEach(each -> each.moveTo(next));
        }
    }

    private final class Run implements Archivist.Run {
        @Override
        public boolean goesOn() {
            return goesOn && violation == null;
        }

        @Override
        public FsPath kept() {
            return KEPT.get(agenda.random().nextInt(KEPT.size()));
        }

        @Override
        public FsPath fresh(FsPath directory) {
            return directory.child("n" + names++);
        }

        @Override
        public FsPath known() {
            return known.isEmpty()
                    ? kept().child("none")
                    : known.get(known.size() - 1 - agenda.random().nextInt(Math.min(known.size(), 40)));
        }

        @Override
        public void made(FsPath path) {
            known.add(path);
        }

        @Override
        public SnapshotModel model() {
            return model;
        }

        @Override
        public @Nullable FsPath snapshot(long number) {
            String name = model.name(number);
            FsPath directory = paths.get(number);
            return name == null || directory == null
                    ? null
                    : directory.child(".snapshot").child(name);
        }

        @Override
        public boolean hasStayed(FsPath top, long then) {
            return since.getOrDefault(top, Long.MAX_VALUE) < then;
        }

        @Override
        public void compared() {
            compared++;
        }

        @Override
        public void asks(Principal user, Operation<?> operation) {}

        @Override
        public void violated(String what) {
            SnapshotSimulation.this.violated(what);
        }
    }

    private SimulatedClient client() {
        return new SimulatedClient(cluster, cluster.process("client" + clientsMade++), agenda.chance(0.7));
    }

    /** Writes the datanode's heartbeat; no blocks are sent to it. */
    private void heartbeat() {
        Datanode datanode = new Datanode(
                new DatanodeAddress("d1", SimulatedTransport.HOST, 1),
                "local",
                Datanode.State.SERVING,
                0,
                0,
                cluster.storeProcess.currentTimeMillis());
        cluster.engine.begin(0).commit(List.of(new Mutation.Put(datanode.row())), Long.MAX_VALUE);
        agenda.after(SECOND, this::heartbeat);
    }

    private void play() {
        heartbeat();
        for (int i = 0; i < 3; i++) {
            clients.add(client());
        }
        begin(0);
        pass(10 * SECOND);
        note();
        cluster.watch(this::look);
        for (int i = 0; i < ARCHIVISTS; i++) {
            Archivist archivist = new Archivist(agenda, new Run(), clients.get(i % 3));
            archivists.add(archivist);
            archivist.start();
        }
        faults.start();
        pass(LOAD);
        faults.stop();
        goesOn = false;
        cluster.calm();
        clients.forEach(each -> each.process().thaw());
        ask();
        pass(QUIET);
        if (violation == null) {
            endSnapshots();
            pass(QUIET);
        }
        if (violation == null) {
            Fsck.Report report = Fsck.check(cluster.engine.rows());
            List<String> wrong = new ArrayList<>(report.problems());
            wrong.addAll(report.unfinished());
            cluster.engine.rows().forEach(row -> {
                if (row.key().table().equals(Schema.VERSIONS)
                        || row.key().table().equals(Schema.DIRECTORY_VERSIONS)
                        || row.key().table().equals(Schema.KEPT)) {
                    wrong.add("no snapshot sees it: " + row);
                }
            });
            if (!wrong.isEmpty()) {
                violated("the store is not whole:\n  " + String.join("\n  ", wrong));
            }
        }
    }

    /** Makes the directories, and lets them have snapshots. */
    private void begin(int number) {
        if (number == 2 * KEPT.size()) {
            return;
        }
        FsPath path = KEPT.get(number / 2);
        clients.get(0)
                .of(SimulatedClient.ROOT)
                .execute(
                        number % 2 == 0 || path.equals(NEVER)
                                ? new NamespaceOperation.Mkdirs(path, 0755, false)
                                : new ChangeSnapshots(path, Action.ALLOW, "", ""))
                .whenComplete((reply, failure) -> begin(reply == null ? number : number + 1));
    }

    private void note() {
        for (Row row : cluster.engine.rows()) {
            if (row.key().table().equals(Schema.INODES) && row.key().int64(0) == INode.ROOT_ID) {
                directories.put(row.int64(0), FsPath.ROOT.child(row.key().string(1)));
            }
        }
    }

    /** Deletes all snapshots. */
    private void endSnapshots() {
        List<SnapshotModel.Taken> all = model.all();
        FsPath top = all.isEmpty() ? null : new Run().snapshot(all.get(0).number());
        if (top != null) {
            clients.get(0)
                    .of(SimulatedClient.ROOT)
                    .execute(new ChangeSnapshots(top.parent().parent(), Action.DELETE, top.name(), ""))
                    .whenComplete((reply, failure) -> agenda.after(SECOND / 10, this::endSnapshots));
        }
    }

    private void look() {
        List<Row> rows = List.copyOf(cluster.engine.rows());
        String wrong = model.look(rows);
        if (wrong != null) {
            violated(wrong);
        }
        Set<FsPath> now = new HashSet<>();
        for (Row row : rows) {
            if (row.key().table().equals(Schema.SNAPSHOTS)) {
                FsPath directory = directories.get(row.key().int64(0));
                made += directory != null && paths.put(row.int64(0), directory) == null ? 1 : 0;
                if (directory != null) {
                    now.add(directory.child(".snapshot").child(row.key().string(1)));
                }
            }
        }
        since.keySet().retainAll(now);
        now.forEach(path -> since.putIfAbsent(path, agenda.now()));
        if (commits++ % RECOUNTED == 0) {
            List<String> problems = Fsck.check(rows).problems();
            if (!problems.isEmpty()) {
                violated("the store is not whole:\n  " + String.join("\n  ", problems));
            }
        }
    }

    /** Asks constantly: without calls there would be no instances to end what the dead have left. */
    private void ask() {
        clients.get(0)
                .of(SimulatedClient.ROOT)
                .totals(KEPT.get(agenda.random().nextInt(KEPT.size())))
                .whenComplete((reply, failure) -> agenda.after(SECOND / 2, this::ask));
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
