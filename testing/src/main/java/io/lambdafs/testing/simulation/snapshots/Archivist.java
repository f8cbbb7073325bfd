package io.lambdafs.testing.simulation.snapshots;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.AttributeOperation.ChangeSnapshots;
import io.lambdafs.model.operation.AttributeOperation.ChangeSnapshots.Action;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.simulation.Agenda;
import io.lambdafs.testing.simulation.TreeAsker;
import io.lambdafs.testing.simulation.cluster.SimulatedClient;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A simulated superuser who changes directories of which there are snapshots, makes and deletes those, and reads what
 * they see. No bytes of blocks are moved. Not thread-safe.
 */
final class Archivist extends TreeAsker {
    static final long BLOCK_SIZE = 100;
    private static final byte[] NOTHING = {};

    /** The context shared by a run's archivists. */
    interface Run extends TreeAsker.Run {
        SnapshotModel model();

        /** Returns the path of a snapshot of one of the directories; null if it has none of that number now. */
        @Nullable
        FsPath snapshot(long number);

        void compared();

        /** Returns whether the snapshot at a path has been there, under that name, since a time. */
        boolean hasStayed(FsPath top, long since);
    }

    private final Run run;
    private FsPath path = FsPath.ROOT;
    private OpenFile file = new OpenFile(0, 0);

    Archivist(Agenda agenda, Run run, SimulatedClient client) {
        super(agenda, run, client);
        this.run = run;
    }

    @Override
    protected void act() {
        int choice = agenda.random().nextInt(40);
        if (choice < 9) {
            path = run.fresh(agenda.chance(0.5) ? run.top() : run.known());
            make(choice);
        } else if (choice < 12) {
            change(run.known());
        } else if (choice < 15) {
            simple(new NamespaceOperation.Delete(run.known(), true));
        } else if (choice < 20) {
            FsPath moved = run.fresh(agenda.chance(0.6) ? run.top() : run.known());
            run.made(moved);
            simple(new NamespaceOperation.Rename(run.known(), moved, RenameMode.OVERWRITE));
        } else if (choice < 21) {
            simple(new NamespaceOperation.Rename(run.known(), run.known(), RenameMode.OVERWRITE));
        } else if (choice < 24) {
            simple(new ChangeSnapshots(run.top(), Action.CREATE, name(), ""));
        } else if (choice < 25) {
            simple(new ChangeSnapshots(run.top(), Action.DELETE, name(), ""));
        } else if (choice < 26) {
            simple(new ChangeSnapshots(run.top(), Action.RENAME, name(), name()));
        } else if (choice < 27) {
            diff();
        } else {
            look();
        }
    }

    /** Compares two snapshots of a directory, and that with what was there when each was made. */
    private void diff() {
        List<SnapshotModel.Taken> all = run.model().all();
        if (all.isEmpty()) {
            next();
            return;
        }
        SnapshotModel.Taken earlier = all.get(agenda.random().nextInt(all.size()));
        SnapshotModel.Taken later = all.get(agenda.random().nextInt(all.size()));
        FsPath from = run.snapshot(earlier.number());
        FsPath to = run.snapshot(later.number());
        if (from == null || to == null || !from.parent().equals(to.parent())) {
            next();
            return;
        }
        FsPath directory = from.parent().parent();
        ask(new ReadOperation.DiffSnapshots(directory, from.name(), to.name(), ""), (told, began) -> {
            if (Objects.equals(to, run.snapshot(later.number()))) {
                compare(earlier, from, () -> TakenDifferences.wrong(earlier, later, told.all()));
            }
            next();
        });
    }

    private String name() {
        return "s" + agenda.random().nextInt(6);
    }

    private void change(FsPath known) {
        int choice = agenda.random().nextInt(4);
        if (choice == 0) {
            simple(new AttributeOperation.SetPermission(known, agenda.random().nextInt(512) | 0700));
        } else if (choice == 1) {
            simple(new AttributeOperation.SetReplication(
                    known, 1 + agenda.random().nextInt(3)));
        } else if (choice == 2) {
            simple(new BlockOperation.Truncate(known, agenda.within(30)));
        } else {
            path = known;
            ask(
                    new FileOperation.Create(path, 0644, true, false, 1, BLOCK_SIZE, content(), null),
                    (reply, began) -> made());
        }
    }

    private byte[] content() {
        byte[] content = new byte[agenda.random().nextInt(60)];
        agenda.random().nextBytes(content);
        return content;
    }

    private void make(int choice) {
        if (choice < 4) {
            ask(new NamespaceOperation.Mkdirs(path, 0755, false), (reply, began) -> made());
        } else if (choice < 7) {
            ask(
                    new FileOperation.Create(path, 0644, false, false, 1, BLOCK_SIZE, content(), null),
                    (reply, began) -> made());
        } else {
            ask(new FileOperation.Create(path, 0644, false, false, 2, BLOCK_SIZE, NOTHING, null), (reply, began) -> {
                file = reply.file();
                later(agenda.within(SECOND / 20), this::write);
            });
        }
    }

    private void made() {
        run.made(path);
        next();
    }

    /** Writes a block, or leaves the file with one that is only allocated. */
    private void write() {
        run.made(path);
        ask(new BlockOperation.AddBlock(path, file, 0, 0, null), (reply, began) -> {
            Block block = reply.block().block();
            Block written = new Block(block.id(), block.generation(), 1 + agenda.within(block.length()), 1);
            switch (agenda.random().nextInt(4)) {
                case 0 -> next();
                case 1 -> simple(new BlockOperation.Abandon(path, file, 1));
                default ->
                    later(
                            agenda.within(SECOND / 2),
                            () -> ask(
                                    new BlockOperation.CompleteBlocks(path, file, 1, 1, written),
                                    (closed, sent) -> next()));
            }
        });
    }

    /** Reads something in a snapshot, and compares it with what was there when that was made. */
    private void look() {
        List<SnapshotModel.Taken> all = run.model().all();
        if (all.isEmpty()) {
            next();
            return;
        }
        SnapshotModel.Taken taken = all.get(agenda.random().nextInt(all.size()));
        FsPath top = run.snapshot(taken.number());
        List<FsPath> paths = List.copyOf(taken.files().keySet());
        if (top == null || paths.isEmpty()) {
            next();
            return;
        }
        FsPath below = paths.get(agenda.random().nextInt(paths.size()));
        SnapshotModel.Entry entry = taken.files().get(below);
        FsPath at = below.isRoot() ? top : FsPath.of(top.toString() + below);
        if (entry == null) {
            next();
        } else if (entry.node().isDirectory() && agenda.chance(0.7)) {
            ask(new ReadOperation.ListPage(at, "", 1_000), (page, began) -> {
                compare(taken, top, () -> listed(taken, below, page));
                next();
            });
        } else if (entry.content() != null && agenda.chance(0.7)) {
            ask(new ReadOperation.Open(at), (opened, began) -> {
                compare(
                        taken,
                        top,
                        () -> Arrays.equals(opened.content(), entry.content())
                                ? null
                                : "its content is " + Arrays.toString(opened.content()));
                next();
            });
        } else if (entry.node().isDirectory() && agenda.chance(0.5)) {
            ask(new ReadOperation.GetTotals(at), (totals, began) -> {
                compare(
                        taken,
                        top,
                        () -> totals.files() == entry.totals().files()
                                        && totals.directories()
                                                == entry.totals().directories() + 1
                                        && totals.bytes() == entry.totals().bytes()
                                        && totals.space() == entry.totals().space()
                                ? null
                                : at + " had " + entry.totals() + ", and is seen with " + totals);
                next();
            });
        } else {
            ask(new ReadOperation.Stat(at), (status, began) -> {
                compare(taken, top, () -> entry.differs(status.attributes()));
                next();
            });
        }
    }

    private interface Comparison {
        @Nullable
        String difference();
    }

    /** Compares an answer, unless the snapshot was deleted or renamed meanwhile. */
    private void compare(SnapshotModel.Taken taken, FsPath top, Comparison comparison) {
        if (!Objects.equals(top, run.snapshot(taken.number()))) {
            return;
        }
        run.compared();
        String difference = comparison.difference();
        if (difference != null) {
            run.violated(
                    "the snapshot " + taken.number() + " at " + top + " does not see what was there: " + difference);
        }
    }

    private static @Nullable String listed(SnapshotModel.Taken taken, FsPath directory, Reply.Page page) {
        Set<FsPath> expected = new TreeSet<>();
        for (Map.Entry<FsPath, SnapshotModel.Entry> each : taken.files().entrySet()) {
            if (!each.getKey().isRoot() && each.getKey().parent().equals(directory)) {
                expected.add(each.getKey());
            }
        }
        for (Attributes seen : page.entries()) {
            FsPath child = directory.child(seen.name());
            SnapshotModel.Entry entry = taken.files().get(child);
            if (entry == null || !expected.remove(child)) {
                return child + " was not there";
            }
            String difference = entry.differs(seen);
            if (difference != null) {
                return difference;
            }
        }
        return expected.isEmpty() ? null : expected + " were there";
    }

    @Override
    protected void refused(Operation<?> operation, FsException why, long began) {
        boolean isRead = operation instanceof ReadOperation<?>;
        boolean missing = why.code() == ErrorCode.NOT_FOUND;
        if (isRead && missing) {
            for (SnapshotModel.Taken taken : run.model().all()) {
                FsPath top = run.snapshot(taken.number());
                if (top != null && operation.path().isAtOrBelow(top) && run.hasStayed(top, began)) {
                    run.violated(operation.path() + " was there, and is not seen");
                }
            }
        }
    }
}
