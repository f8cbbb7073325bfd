package io.lambdafs.functions.subtree;

import io.lambdafs.functions.namenode.IdAllocator;
import io.lambdafs.functions.namenode.SafeMode;
import io.lambdafs.functions.namenode.Slots;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Restart;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.snapshot.SnapshotNumber;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The table of active subtree operations and the marks on their roots. Entry is serialised by one lock, so that two
 * overlapping operations never run together (crossing renames would create a cycle). A mark belongs to the epoch of the
 * instance that set it; once that epoch is dead, any instance that meets the mark removes it. Thread-safe.
 */
public final class SubtreeTable {
    private static final long PARTITION = 0;
    private static final int MAX_ACTIVE = 10_000;
    private static final Key LOCK = Schema.SUBTREE_OPERATIONS.key(PARTITION, "");

    private final MetadataStore store;
    private final Scheduler scheduler;
    private final IdAllocator operations;

    /** @param epoch the instance's current epoch, 0 for none */
    public SubtreeTable(MetadataStore store, Scheduler scheduler, LongSupplier epoch) {
        this.store = store;
        this.scheduler = scheduler;
        this.operations = new IdAllocator(store, "operation", epoch);
    }

    /** The result of entering: the marks held, or an earlier reply, or a refusal. */
    record Entered(Subtree.@Nullable Held held, @Nullable Reply reply) {}

    static Key key(FsPath path) {
        return Schema.SUBTREE_OPERATIONS.key(PARTITION, path.toString());
    }

    /** Returns a new operation number. */
    CompletionStage<Long> number() {
        return operations.take(1);
    }

    /**
     * Enters an operation and marks its directories, in one transaction. Fails with {@link Restart} if another
     * operation is in the way.
     */
    CompletionStage<Entered> enter(Call call, Subtree subtree, List<Mark> marks, long operation) {
        return new Entry(call, subtree, marks, operation).lock();
    }

    private final class Entry {
        private final Call call;
        private final Subtree subtree;
        private final List<Mark> marks;
        private final long operation;
        private final StoreTransaction transaction;

        Entry(Call call, Subtree subtree, List<Mark> marks, long operation) {
            this.call = call;
            this.subtree = subtree;
            this.marks = marks;
            this.operation = operation;
            this.transaction = call.begin(store);
        }

        CompletionStage<Entered> lock() {
            Set<Read> reads = new LinkedHashSet<>();
            reads.add(Read.shared(Rows.instanceKey(call.epoch())));
            reads.add(Read.exclusive(Slots.key(call.id())));
            reads.add(Read.exclusive(LOCK));
            reads.add(Read.shared(SafeMode.KEY));
            reads.add(Read.unlocked(SnapshotNumber.SEQUENCE));
            marks.forEach(mark -> mark.addLocks(reads));
            List<Read> list = List.copyOf(reads);
            return transaction
                    .read(list, 0)
                    .thenCompose(rows -> look(new LockedRows(list, rows, scheduler.currentTimeMillis())))
                    .whenComplete((entered, error) -> transaction.abort());
        }

        private CompletionStage<Entered> look(LockedRows rows) {
            if (rows.row(Rows.instanceKey(call.epoch())) == null) {
                throw new FsException(ErrorCode.FENCED, "the instance's epoch " + call.epoch() + " is over");
            }
            Reply before = Slots.answered(call.id(), rows.row(Slots.key(call.id())));
            Reply reply = before == null ? refusal(rows) : before;
            if (reply != null) {
                return CompletableFuture.completedFuture(new Entered(null, reply));
            }
            return transaction
                    .scan(new Scan(Schema.SUBTREE_OPERATIONS, PARTITION, null, MAX_ACTIVE))
                    .thenCompose(active -> enter(rows, active));
        }

        private @Nullable Reply refusal(LockedRows rows) {
            try {
                if (SafeMode.isOn(rows)) {
                    throw SafeMode.refusal();
                }
                return subtree.refusal(marks, rows);
            } catch (FsException refusal) {
                if (refusal.code().disposition() != Disposition.FINAL) {
                    throw refusal;
                }
                return subtree.answer(refusal);
            }
        }

        private CompletionStage<Entered> enter(LockedRows rows, List<Row> active) {
            for (Row row : active) {
                FsPath busy = FsPath.of(row.key().string(1));
                if (marks.stream().anyMatch(mark -> mark.path().overlaps(busy))) {
                    return CompletableFuture.failedFuture(inTheWay(row));
                }
            }
            if (active.size() == MAX_ACTIVE) {
                throw new FsException(
                        ErrorCode.SUBTREE_BUSY, MAX_ACTIVE + " subtree operations are active: try again later");
            }
            List<Mutation> mutations = new ArrayList<>();
            Map<FsPath, INode> marked = new HashMap<>();
            for (Mark mark : marks) {
                INode node = rows.inode(mark.parentId(), mark.path().name());
                if (node != null && node.isFlagged()) {
                    throw Restart.flagged(node);
                }
                if (node != null && node.isDirectory()) {
                    INode flagged = node.withMark(new INode.SubtreeMark(operation, call.epoch()));
                    marked.put(mark.path(), flagged);
                    mutations.add(new Mutation.Put(Rows.of(flagged)));
                }
                mutations.add(new Mutation.Put(new Row(
                        key(mark.path()),
                        operation,
                        call.epoch(),
                        subtree.kind(),
                        mark.parentId(),
                        mark.path().name())));
            }
            Subtree.Held held =
                    new Subtree.Held(operation, marks.stream().map(Mark::path).toList(), marked);
            return transaction.commit(mutations, call.deadlineMillis()).thenApply(done -> new Entered(held, null));
        }

        /** Returns a restart that waits for an operation, represented by its INode even if that row has no mark. */
        private Restart inTheWay(Row row) {
            return Restart.flagged(INode.directory(row.int64(3), row.string(4), 0, "", "", 0, 0)
                    .withMark(new INode.SubtreeMark(row.int64(0), row.int64(1))));
        }
    }

    /**
     * Returns the mutations by which the final transaction ends an operation: they remove its entries and, except on
     * moved rows, its marks.
     */
    static List<Mutation> unmark(Subtree.Held held, boolean marksToo) {
        List<Mutation> mutations = new ArrayList<>();
        held.paths().forEach(path -> mutations.add(new Mutation.Delete(key(path))));
        if (marksToo) {
            held.marked().values().forEach(node -> mutations.add(new Mutation.Put(Rows.of(node.withMark(null)))));
        }
        return mutations;
    }

    /** The state of an operation: over, or active under a live or dead epoch. */
    enum State {
        OVER,
        ACTIVE,
        ABANDONED
    }

    CompletionStage<State> state(INode.SubtreeMark mark) {
        StoreTransaction look = store.begin(0);
        return look.read(List.of(Read.unlocked(Rows.instanceKey(mark.epoch()))), 0)
                .thenCompose(rows -> look.scan(new Scan(Schema.SUBTREE_OPERATIONS, PARTITION, null, MAX_ACTIVE))
                        .thenApply(active -> {
                            boolean listed = active.stream().anyMatch(row -> row.int64(0) == mark.operation());
                            return !listed ? State.OVER : rows.get(0) == null ? State.ABANDONED : State.ACTIVE;
                        }))
                .whenComplete((state, error) -> look.abort());
    }

    /**
     * Cancels an operation: removes remaining entries and marks.
     *
     * @param epoch of the cancelling instance: the operation's own, or another's once that is dead; its fence frees the
     *     locks
     */
    CompletionStage<Void> clear(long operation, long epoch) {
        StoreTransaction transaction = store.begin(epoch);
        return transaction
                .read(List.of(Read.exclusive(LOCK)), 0)
                .thenCompose(
                        locked -> transaction.scan(new Scan(Schema.SUBTREE_OPERATIONS, PARTITION, null, MAX_ACTIVE)))
                .thenCompose(active -> clear(transaction, operation, active))
                .whenComplete((done, error) -> transaction.abort());
    }

    private static CompletionStage<Void> clear(StoreTransaction transaction, long operation, List<Row> active) {
        List<Row> own = active.stream().filter(row -> row.int64(0) == operation).toList();
        if (own.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        List<Read> reads = own.stream()
                .map(row -> Read.exclusive(Rows.inodeKey(row.int64(3), row.string(4))))
                .distinct()
                .toList();
        return transaction.read(reads, 0).thenCompose(rows -> {
            List<Mutation> mutations = new ArrayList<>();
            own.forEach(row -> mutations.add(new Mutation.Delete(row.key())));
            for (Row row : rows) {
                if (row != null && Rows.inode(row).isMarkedBy(operation)) {
                    mutations.add(new Mutation.Put(Rows.of(Rows.inode(row).withMark(null))));
                }
            }
            return transaction.commit(mutations, Long.MAX_VALUE);
        });
    }

    /** Returns the marked directory at a path; restarts the operation if it is gone or no longer a directory. */
    static INode require(Subtree.Held held, FsPath path) {
        INode node = held.marked().get(path);
        if (node == null) {
            throw Restart.changed("\"" + path + "\"");
        }
        return node;
    }
}
