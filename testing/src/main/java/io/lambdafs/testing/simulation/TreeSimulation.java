package io.lambdafs.testing.simulation;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.simulation.Agenda;
import io.lambdafs.simulation.SimulatedProcess;
import io.lambdafs.simulation.SimulatedTransport;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.block.Datanode;
import io.lambdafs.store.format.Fsck;
import io.lambdafs.testing.simulation.cluster.SimulatedClient;
import io.lambdafs.testing.simulation.cluster.SimulatedCluster;
import io.lambdafs.testing.simulation.cluster.SimulatedInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Simulates directories under one seed, in which askers make, move and remove trees, with the faults of {@link Faults}.
 * Each commit is watched, and some are followed by a recount. In the end the store is whole. Not thread-safe.
 */
public abstract class TreeSimulation {
    protected static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    /** Probability of a late copy of a write, when no fault makes more of them. */
    private static final double TWIN = 0.15;

    private static final long LOAD = 40 * SECOND;
    /** Longer than any request, and than what the dead have left takes to be found. */
    protected static final long QUIET = 60 * SECOND;
    /** In so many commits one is followed by a recount. */
    private static final int RECOUNTED = 50;

    protected final Agenda agenda;
    protected final SimulatedCluster cluster;
    protected final List<SimulatedClient> clients = new ArrayList<>();
    private final Faults faults;
    private final List<FsPath> tops;
    private final int askersWanted;
    private final List<TreeAsker> askers = new ArrayList<>();
    /** Paths at which something may be. */
    private final List<FsPath> known = new ArrayList<>();

    private boolean goesOn = true;
    private int clientsMade;
    private long names;
    private long commits;
    private @Nullable String violation;

    /**
     * @param tops the directories that stay where they are
     * @param askers how many there are
     */
    protected TreeSimulation(long seed, List<FsPath> tops, int askers) {
        this.tops = tops;
        this.askersWanted = askers;
        agenda = new Agenda(seed);
        cluster = new SimulatedCluster(agenda, new Watcher(), SimulatedCluster.Kind.ALIKE);
        faults = new Faults(cluster, new Clients());
    }

    /** Returns the operation that prepares one of the directories, after it was made. */
    protected abstract Operation<Reply.Done> prepared(FsPath top);

    /** Called when the directories are prepared, before there are any askers. */
    protected abstract void begun();

    protected abstract TreeAsker asker(SimulatedClient client);

    /** Called after each commit. */
    protected abstract void look(List<Row> rows);

    /** Called when all is quiet, before the store is checked. */
    protected void end() {}

    /** Returns what is wrong with rows that must be gone in the end. */
    protected List<String> left(List<Row> rows) {
        return List.of();
    }

    /** Runs the scenario; the same seed gives the same outcome. Returns the violation; null if nothing went wrong. */
    protected final @Nullable String violation() {
        try {
            play();
        } catch (RuntimeException | AssertionError failure) {
            java.io.StringWriter text = new java.io.StringWriter();
            failure.printStackTrace(new java.io.PrintWriter(text));
            violated("the code failed: " + text);
        }
        return violation;
    }

    protected final void violated(String what) {
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
            askers.stream().filter(each -> each.client() == client).forEach(each -> each.moveTo(next));
        }
    }

    /** The context of the askers. */
    protected class Run implements TreeAsker.Run {
        @Override
        public final boolean goesOn() {
            return goesOn && violation == null;
        }

        @Override
        public final FsPath top() {
            return tops.get(agenda.random().nextInt(tops.size()));
        }

        @Override
        public final FsPath fresh(FsPath directory) {
            return directory.child("n" + names++);
        }

        @Override
        public final FsPath known() {
            return known.isEmpty()
                    ? top().child("none")
                    : known.get(known.size() - 1 - agenda.random().nextInt(Math.min(known.size(), 40)));
        }

        @Override
        public final void made(FsPath path) {
            known.add(path);
        }

        @Override
        public final void asks(Principal user, Operation<?> operation) {}

        @Override
        public final void violated(String what) {
            TreeSimulation.this.violated(what);
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
        begun();
        cluster.watch(this::watch);
        for (int i = 0; i < askersWanted; i++) {
            TreeAsker asker = asker(clients.get(i % 3));
            askers.add(asker);
            asker.start();
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
            end();
        }
        if (violation == null) {
            List<Row> rows = List.copyOf(cluster.engine.rows());
            Fsck.Report report = Fsck.check(rows);
            List<String> wrong = new ArrayList<>(report.problems());
            wrong.addAll(report.unfinished());
            wrong.addAll(left(rows));
            checkWhole(wrong);
        }
    }

    private void checkWhole(List<String> problems) {
        if (!problems.isEmpty()) {
            violated("the store is not whole:\n  " + String.join("\n  ", problems));
        }
    }

    /** Makes and prepares the directories. */
    private void begin(int number) {
        if (number == 2 * tops.size()) {
            return;
        }
        FsPath path = tops.get(number / 2);
        clients.get(0)
                .of(SimulatedClient.ROOT)
                .execute(number % 2 == 0 ? new NamespaceOperation.Mkdirs(path, 0755, false) : prepared(path))
                .whenComplete((reply, failure) -> begin(reply == null ? number : number + 1));
    }

    private void watch() {
        List<Row> rows = List.copyOf(cluster.engine.rows());
        look(rows);
        if (commits++ % RECOUNTED == 0) {
            checkWhole(Fsck.check(rows).problems());
        }
    }

    /** Asks constantly: without calls there would be no instances to end what the dead have left. */
    private void ask() {
        clients.get(0)
                .of(SimulatedClient.ROOT)
                .totals(tops.get(agenda.random().nextInt(tops.size())))
                .whenComplete((reply, failure) -> agenda.after(SECOND / 2, this::ask));
    }

    /** Lets time go on until something goes wrong. */
    protected final void pass(long nanos) {
        long end = agenda.now() + nanos;
        boolean[] over = {false};
        agenda.at(end, () -> over[0] = true);
        while (!over[0] && violation == null && agenda.next()) {
            // Time goes on.
        }
    }
}
