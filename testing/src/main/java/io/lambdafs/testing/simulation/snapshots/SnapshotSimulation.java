package io.lambdafs.testing.simulation.snapshots;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.AttributeOperation.ChangeSnapshots;
import io.lambdafs.model.operation.AttributeOperation.ChangeSnapshots.Action;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.testing.simulation.Faults;
import io.lambdafs.testing.simulation.TreeAsker;
import io.lambdafs.testing.simulation.TreeSimulation;
import io.lambdafs.testing.simulation.cluster.SimulatedClient;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Simulates directories with snapshots under one seed: archivists change what is below them, move trees within, in and out, remove
 * whole ones, make, rename and delete snapshots, and read what these see, with the faults of {@link Faults}. When a snapshot is
 * committed, the tree is copied, and it must be read exactly so as long as the snapshot is there; no content that it saw goes (PROTOCOL: I12).
 * In the end the store is whole, and nothing is kept that no snapshot sees. Not thread-safe.
 */
public final class SnapshotSimulation extends TreeSimulation {
    private static final int ARCHIVISTS = 12;
    private static final Set<String> OF_SNAPSHOTS =
            Set.of(Schema.VERSIONS.name(), Schema.DIRECTORY_VERSIONS.name(), Schema.KEPT.name());
    private static final FsPath NEVER = FsPath.of("/never");
    private static final List<FsPath> KEPT = List.of(FsPath.of("/k0"), FsPath.of("/k1"), NEVER);

    private final SnapshotModel model = new SnapshotModel();
    /** The directories that may have snapshots, by id. */
    private final Map<Long, FsPath> directories = new HashMap<>();

    private final Map<Long, FsPath> paths = new HashMap<>();
    /** Since when a snapshot has been at a path. */
    private final Map<FsPath, Long> since = new HashMap<>();

    private long compared;
    private long made;

    /**
     * The outcome of a run.
     *
     * @param violation null if nothing went wrong
     * @param made snapshots
     * @param compared answers from snapshots that were compared with what was there
     */
    public record Outcome(@Nullable String violation, long made, long compared) {}

    private SnapshotSimulation(long seed) {
        super(seed, KEPT, ARCHIVISTS);
    }

    /** Runs the scenario; the same seed gives the same outcome. */
    public static Outcome run(long seed) {
        SnapshotSimulation simulation = new SnapshotSimulation(seed);
        String violation = simulation.violation();
        return new Outcome(violation, simulation.made, simulation.compared);
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

    private final class Seen extends Run implements Archivist.Run {
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
    }

    @Override
    protected TreeAsker asker(SimulatedClient client) {
        return new Archivist(agenda, new Seen(), client);
    }

    @Override
    protected Operation<Reply.Done> prepared(FsPath top) {
        return top.equals(NEVER)
                ? new NamespaceOperation.Mkdirs(top, 0755, false)
                : new ChangeSnapshots(top, Action.ALLOW, "", "");
    }

    @Override
    protected void begun() {
        for (Row row : cluster.engine.rows()) {
            if (row.key().table().equals(Schema.INODES) && row.key().int64(0) == INode.ROOT_ID) {
                directories.put(row.int64(0), FsPath.ROOT.child(row.key().string(1)));
            }
        }
    }

    @Override
    protected void end() {
        endSnapshots();
        pass(QUIET);
    }

    @Override
    protected List<String> left(List<Row> rows) {
        return rows.stream()
                .filter(row -> OF_SNAPSHOTS.contains(row.key().table().name()))
                .map(row -> "no snapshot sees it: " + row)
                .toList();
    }

    /** Deletes all snapshots. */
    private void endSnapshots() {
        List<SnapshotModel.Taken> all = model.all();
        FsPath top = all.isEmpty() ? null : new Seen().snapshot(all.get(0).number());
        if (top != null) {
            clients.get(0)
                    .of(SimulatedClient.ROOT)
                    .execute(new ChangeSnapshots(top.parent().parent(), Action.DELETE, top.name(), ""))
                    .whenComplete((reply, failure) -> agenda.after(SECOND / 10, this::endSnapshots));
        }
    }

    @Override
    protected void look(List<Row> rows) {
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
    }
}
