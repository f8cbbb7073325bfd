package io.lambdafs.testing.simulation;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.simulation.Agenda;
import io.lambdafs.simulation.SimulatedProcess;
import io.lambdafs.simulation.SimulatedTransport;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.block.Datanode;
import io.lambdafs.store.format.Fsck;
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
 * Simulates directories with quotas under one seed: spenders fill and empty them, move trees from one to the other and
 * change the limits, which refuse about half of what is new, with the faults of {@link Faults}. Each commit is watched:
 * no directory is charged over its limit or below nothing; what a quota refused was too much at some moment of the
 * request, and never happens later; and totals equal a recount (PROTOCOL: I10, I11). Not thread-safe.
 */
public final class QuotaSimulation {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int SPENDERS = 15;
    /** Probability of a late copy of a write, when no fault makes more of them. */
    private static final double TWIN = 0.15;

    private static final long LOAD = 40 * SECOND;
    /** Longer than any request, and than what the dead have left takes to be found. */
    private static final long QUIET = 60 * SECOND;
    /** In so many commits one is followed by a recount. */
    private static final int RECOUNTED = 50;

    private static final List<FsPath> LIMITED =
            List.of(FsPath.of("/q0"), FsPath.of("/q1"), FsPath.of("/q1/in"), FsPath.of("/q2"));

    private final Agenda agenda;
    private final SimulatedCluster cluster;
    private final Faults faults;
    private final Charges charges;
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final List<Spender> spenders = new ArrayList<>();
    /** Paths at which something may be. */
    private final List<FsPath> known = new ArrayList<>();
    /** Names that were refused: each was asked for once. */
    private final Set<String> refusedNames = new HashSet<>();

    private final Map<FsPath, Long> ids = new HashMap<>();
    private boolean goesOn = true;
    private int clientsMade;
    private long names;
    private long commits;
    private long admitted;
    private long refused;
    private @Nullable String violation;

    /**
     * The outcome of a run.
     *
     * @param violation null if nothing went wrong
     * @param admitted new files and directories that were made
     * @param refused new files and directories that a quota refused
     */
    public record Outcome(@Nullable String violation, long admitted, long refused) {}

    private QuotaSimulation(long seed) {
        agenda = new Agenda(seed);
        cluster = new SimulatedCluster(agenda, new Watcher(), SimulatedCluster.Kind.ALIKE);
        faults = new Faults(cluster, new Clients(), new Recorder.Counts());
        charges = new Charges(agenda);
    }

    /** Runs the scenario; the same seed gives the same outcome. */
    public static Outcome run(long seed) {
        QuotaSimulation simulation = new QuotaSimulation(seed);
        try {
            simulation.play();
        } catch (RuntimeException | AssertionError failure) {
            java.io.StringWriter text = new java.io.StringWriter();
            failure.printStackTrace(new java.io.PrintWriter(text));
            simulation.violated("the code failed: " + text);
        }
        return new Outcome(simulation.violation, simulation.admitted, simulation.refused);
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
            spenders.stream().filter(each -> each.client() == client).forEach(each -> each.moveTo(next));
        }
    }

    private final class Run implements Spender.Run {
        @Override
        public boolean goesOn() {
            return goesOn && violation == null;
        }

        @Override
        public FsPath limited() {
            return LIMITED.get(agenda.random().nextInt(LIMITED.size()));
        }

        @Override
        public FsPath fresh(FsPath directory) {
            return directory.child("n" + names++);
        }

        @Override
        public FsPath known() {
            return known.isEmpty()
                    ? limited().child("none")
                    : known.get(known.size() - 1 - agenda.random().nextInt(Math.min(known.size(), 40)));
        }

        @Override
        public void made(FsPath path) {
            known.add(path);
        }

        @Override
        public void admitted() {
            admitted++;
        }

        @Override
        public void asks(Principal user, Operation<?> operation) {}

        @Override
        public void refused(FsPath path, DirectoryTotals more, FsException why, long began) {
            refused++;
            refusedNames.add(path.name());
            boolean byNames = why.code() == ErrorCode.NAMES_QUOTA_EXCEEDED;
            String message = String.valueOf(why.getMessage());
            LIMITED.stream()
                    .filter(each -> message.contains(" " + each + " is exceeded"))
                    .filter(each -> !charges.wasFull(ids.getOrDefault(each, 0L), began, more, byNames))
                    .forEach(each ->
                            violated(path + " had room in " + each + " all the time, and was refused: " + message));
        }

        @Override
        public void violated(String what) {
            QuotaSimulation.this.violated(what);
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
        for (int i = 0; i < SPENDERS; i++) {
            Spender spender = new Spender(agenda, new Run(), clients.get(i % 3));
            spenders.add(spender);
            spender.start();
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
            Fsck.Report report = Fsck.check(cluster.engine.rows());
            List<String> wrong = new ArrayList<>(report.problems());
            wrong.addAll(report.unfinished());
            if (!wrong.isEmpty()) {
                violated("the store is not whole:\n  " + String.join("\n  ", wrong));
            }
        }
    }

    /** Makes the directories with quotas. */
    private void begin(int number) {
        if (number == 2 * LIMITED.size()) {
            return;
        }
        FsPath path = LIMITED.get(number / 2);
        clients.get(0)
                .of(SimulatedClient.ROOT)
                .execute(
                        number % 2 == 0
                                ? new NamespaceOperation.Mkdirs(path, 0755, false)
                                : new AttributeOperation.SetQuota(path, 8, 8 * Spender.BLOCK_SIZE))
                .whenComplete((reply, failure) -> begin(reply == null ? number : number + 1));
    }

    private void note() {
        Map<String, Long> found = new HashMap<>();
        for (Row row : cluster.engine.rows()) {
            if (row.key().table().equals(Schema.INODES)) {
                INode node = Rows.inode(row);
                found.put(node.name(), node.id());
            }
        }
        LIMITED.forEach(path -> ids.put(path, found.getOrDefault(path.name(), 0L)));
    }

    private void look() {
        List<Row> rows = List.copyOf(cluster.engine.rows());
        String wrong = charges.look(rows);
        if (wrong != null) {
            violated(wrong);
        }
        for (Row row : rows) {
            if (row.key().table().equals(Schema.INODES)
                    && refusedNames.contains(row.key().string(1))) {
                violated("a quota refused it, and it was made later: " + row.key());
            }
        }
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
                .totals(LIMITED.get(agenda.random().nextInt(LIMITED.size())))
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
