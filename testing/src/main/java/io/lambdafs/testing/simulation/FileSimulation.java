package io.lambdafs.testing.simulation;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
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
import io.lambdafs.store.block.StoredBlock;
import io.lambdafs.store.format.Fsck;
import io.lambdafs.testing.simulation.cluster.SimulatedClient;
import io.lambdafs.testing.simulation.cluster.SimulatedCluster;
import io.lambdafs.testing.simulation.cluster.SimulatedInstance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Simulates files in blocks under one seed: authors, who are three users, compete for a few files, which they also
 * truncate, concat, move and delete; some die midway, sleep beyond their lease, or interfere with each other's files;
 * with the faults of {@link Faults}. After a quiet period beyond the hard limit everything left is checked against
 * docs/FILES.md. Not thread-safe.
 */
public final class FileSimulation {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int AUTHORS = 9;
    private static final long LOAD = 200 * SECOND;
    /** Longer than the hard limit plus its leader's sweep interval. */
    private static final long QUIET = 26 * 60 * SECOND;

    private final Agenda agenda;
    private final SimulatedCluster cluster;
    private final Faults faults;
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final List<Author> authors = new ArrayList<>();
    private final Map<Long, FileHistory> files = new HashMap<>();
    private final Map<Long, FileHistory.Told> told = new HashMap<>();
    private final Map<FsPath, List<FileHistory.Cut>> cuts = new HashMap<>();
    /** By identity: twins are sent in their callers' names. */
    private final IdentityHashMap<Operation<?>, Principal> callers = new IdentityHashMap<>();

    private boolean goesOn = true;
    private int clientsMade;
    private @Nullable String violation;

    private FileSimulation(long seed) {
        agenda = new Agenda(seed);
        cluster = new SimulatedCluster(agenda, new Watcher(), SimulatedCluster.Kind.ALIKE);
        faults = new Faults(cluster, new Clients(), new Recorder.Counts());
    }

    /** Runs a seed; returns the violation, or null. */
    public static @Nullable String run(long seed) {
        FileSimulation simulation = new FileSimulation(seed);
        try {
            simulation.play();
        } catch (RuntimeException | AssertionError failure) {
            java.io.StringWriter text = new java.io.StringWriter();
            failure.printStackTrace(new java.io.PrintWriter(text));
            simulation.violated("the code failed: " + text);
        }
        return simulation.violation;
    }

    /** Returns the first failing seed of a range; -1 if none fails. */
    public static long firstFailing(long first, int seeds) {
        for (long seed = first; seed < first + seeds; seed++) {
            if (run(seed) != null) {
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
                    && agenda.chance(cluster.conditions.twin)) {
                agenda.after(agenda.within(cluster.conditions.twinNanos), () -> {
                    List<SimulatedInstance> all = cluster.instances();
                    if (!all.isEmpty()) {
                        Principal user = callers.getOrDefault(request.operation(), SimulatedClient.ROOT);
                        all.get(agenda.random().nextInt(all.size())).serve(user, request, reply -> {});
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
            authors.stream().filter(each -> each.client() == client).forEach(each -> each.moveTo(next));
        }
    }

    private final class Run implements Author.Run {
        @Override
        public boolean goesOn() {
            return goesOn && violation == null;
        }

        @Override
        public @Nullable FileHistory history(long fileId) {
            return files.get(fileId);
        }

        @Override
        public void made(FsPath path, long fileId, byte[] head) {
            files.putIfAbsent(fileId, new FileHistory(head, told, cuts(path)));
        }

        @Override
        public void asks(Principal user, Operation<?> operation) {
            if (operation.isWrite()) {
                callers.put(operation, user);
            }
        }

        @Override
        public Author.Work any() {
            return authors.get(agenda.random().nextInt(authors.size())).work();
        }

        @Override
        public List<FileHistory.Cut> cuts(FsPath path) {
            return cuts.computeIfAbsent(path, none -> new ArrayList<>());
        }

        @Override
        public void violated(String what) {
            FileSimulation.this.violated(what);
        }
    }

    private SimulatedClient client() {
        return new SimulatedClient(cluster, cluster.process("client" + clientsMade++), agenda.chance(0.7));
    }

    /** Writes the datanode's heartbeat; no blocks are sent to it. */
    private void heartbeat() {
        DatanodeAddress address = new DatanodeAddress("d1", SimulatedTransport.HOST, 1);
        Datanode datanode =
                new Datanode(address, "local", Datanode.State.SERVING, 0, 0, cluster.storeProcess.currentTimeMillis());
        cluster.engine.begin(0).commit(List.of(new Mutation.Put(datanode.row())), Long.MAX_VALUE);
        agenda.after(SECOND, this::heartbeat);
    }

    private void play() {
        heartbeat();
        SimulatedClient visitor = new SimulatedClient(cluster, cluster.process("visitor"), false);
        makeDirectories(visitor, 0);
        for (int i = 0; i < 3; i++) {
            clients.add(client());
        }
        for (int i = 0; i < AUTHORS; i++) {
            Principal user = SimulatedClient.AUTHORS.get(i / 3);
            Author author = new Author(agenda, new Run(), user, clients.get(i % 3));
            authors.add(author);
            author.start();
        }
        faults.start();
        pass(LOAD);
        faults.stop();
        goesOn = false;
        cluster.calm();
        clients.forEach(each -> each.process().thaw());
        // Constant calls: without them there would be no instances to close files.
        ask(visitor);
        pass(QUIET);
        if (violation == null) {
            look();
        }
    }

    /** Creates the directories that all authors write in. */
    private void makeDirectories(SimulatedClient visitor, int number) {
        if (number < Author.DIRECTORIES) {
            visitor.of(SimulatedClient.ROOT)
                    .execute(new NamespaceOperation.Mkdirs(Author.directory(number), 0777, true))
                    .whenComplete((reply, failure) -> makeDirectories(visitor, reply == null ? number : number + 1));
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

    private void ask(SimulatedClient visitor) {
        visitor.of(SimulatedClient.ROOT)
                .execute(new ReadOperation.Stat(Author.directory(agenda.random().nextInt(Author.DIRECTORIES))))
                .whenComplete((reply, failure) -> agenda.after(SECOND / 2, () -> ask(visitor)));
    }

    private void look() {
        List<Row> rows = List.copyOf(cluster.engine.rows());
        Fsck.Report report = Fsck.check(rows);
        if (!report.problems().isEmpty()) {
            violated("the store is not whole:\n  " + String.join("\n  ", report.problems()));
        }
        Map<Long, INode> there = new HashMap<>();
        Set<String> named = new HashSet<>();
        Map<Long, List<StoredBlock>> blocks = new HashMap<>();
        for (Row row : rows) {
            if (row.key().table().equals(Schema.INODES)) {
                INode node = Rows.inode(row);
                there.put(node.id(), node);
            } else if (row.key().table().equals(Schema.INVALID_BLOCKS)) {
                name(named, row.key().string(1));
            } else if (row.key().table().equals(Schema.BLOCKS)) {
                StoredBlock block = StoredBlock.of(row);
                name(named, block.key());
                blocks.computeIfAbsent(block.inodeId(), id -> new ArrayList<>()).add(block);
            } else if (row.key().table().equals(Schema.WRITER_LEASES)
                    || row.key().table().equals(Schema.WRITTEN_FILES)) {
                violated("a file is being written still: " + row);
            }
        }
        there.values().forEach(node -> look(node, blocks.getOrDefault(node.id(), List.of())));
        files.forEach((id, history) -> history.keys().forEach(key -> {
            if (!named.contains(key)) {
                violated("nothing names the object " + key + " of file " + id + " any more, and nobody will delete it");
            }
        }));
    }

    private void name(Set<String> named, String key) {
        if (!named.add(key)) {
            violated("two rows name the object " + key);
        }
    }

    private void look(INode node, List<StoredBlock> blocks) {
        if (node.content() == INode.Content.WRITING) {
            violated("nobody has closed " + node);
        }
        for (StoredBlock each : blocks) {
            if (each.state() != StoredBlock.State.WRITTEN) {
                violated("a block of a file that is closed was never told: " + each);
            }
        }
    }
}
