package io.lambdafs.functions.housekeeping;

import io.lambdafs.functions.namenode.SmallFiles;
import io.lambdafs.functions.namenode.Telemetry;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.INode;
import io.lambdafs.model.Scheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Removes the rows of detached trees, children before their directory, a batch per transaction, each under the exclusive lock of the
 * tree's root row: a crash between two batches leaves the rest for whoever comes next. Nobody can name these rows by a path, so no
 * instance caches them. One run at a time per instance. Thread-safe.
 */
public final class Reclaimer {
    private static final long PERIOD_NANOS = 5_000_000_000L;
    /** Another instance that works on a tree holds its root; it is left to that one. */
    private static final long LOCK_WAIT_NANOS = 1_000_000L;

    private static final int ROOTS_PER_RUN = 1_000;

    private final MetadataStore store;
    private final Scheduler scheduler;
    private final LongSupplier epoch;
    private final int batch;
    private final Telemetry telemetry;
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile boolean closed;
    private volatile Scheduler.@Nullable Timer timer;

    /**
     * @param epoch the instance's live epoch; 0 when it has none, and nothing is done
     * @param batch rows removed by one transaction
     */
    public Reclaimer(MetadataStore store, Scheduler scheduler, LongSupplier epoch, int batch, Telemetry telemetry) {
        this.store = store;
        this.scheduler = scheduler;
        this.epoch = epoch;
        this.batch = batch;
        this.telemetry = telemetry;
    }

    /** Begins to look for detached trees, now and every five seconds. */
    public void start() {
        if (!closed) {
            run();
            timer = scheduler.schedule(PERIOD_NANOS, this::start);
        }
    }

    public void close() {
        closed = true;
        Scheduler.Timer pending = timer;
        if (pending != null) {
            pending.cancel();
        }
    }

    /** Reclaims what is detached now, unless a run is under way; completes at its end, failures included. */
    public CompletionStage<Void> run() {
        long current = epoch.getAsLong();
        if (current == 0 || !running.compareAndSet(false, true)) {
            return CompletableFuture.completedFuture(null);
        }
        StoreTransaction look = store.begin(current, INode.RECLAIM_ID);
        return look.scan(new Scan(Schema.INODES, INode.RECLAIM_ID, null, ROOTS_PER_RUN))
                .whenComplete((roots, error) -> look.abort())
                .thenCompose(roots -> trees(current, new ArrayDeque<>(roots)))
                .handle((done, error) -> {
                    // What failed is found again by the next run, here or at another instance.
                    running.set(false);
                    return null;
                });
    }

    private CompletionStage<Void> trees(long current, Deque<Row> roots) {
        Row root = roots.poll();
        if (root == null || closed) {
            return CompletableFuture.completedFuture(null);
        }
        return new Tree(current, Rows.inode(root))
                .next()
                .exceptionallyCompose(error -> FsException.of(error).code() == ErrorCode.STORE_CONFLICT
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(error))
                .thenCompose(done -> trees(current, roots));
    }

    /** One tree under reclaim: the directories from its root down to where it works. */
    private final class Tree {
        private final long current;
        private final INode root;
        private final Deque<INode> stack = new ArrayDeque<>();

        Tree(long current, INode root) {
            this.current = current;
            this.root = root;
            stack.push(root);
        }

        CompletableFuture<Void> next() {
            INode directory = stack.peek();
            if (directory == null || closed) {
                return CompletableFuture.completedFuture(null);
            }
            StoreTransaction transaction = store.begin(current, directory.id());
            return transaction
                    .read(
                            List.of(
                                    Read.shared(Rows.instanceKey(current)),
                                    Read.exclusive(Rows.inodeKey(root.parentId(), root.name()))),
                            LOCK_WAIT_NANOS)
                    .thenCompose(rows -> {
                        if (rows.get(0) == null || rows.get(1) == null) {
                            stack.clear();
                            return CompletableFuture.completedFuture(null);
                        }
                        return transaction
                                .scan(new Scan(Schema.INODES, directory.id(), null, batch))
                                .thenCompose(children -> remove(transaction, directory, children));
                    })
                    .whenComplete((done, error) -> transaction.abort())
                    .thenCompose(done -> next())
                    .toCompletableFuture();
        }

        /** Removes the files among the children; descends into the first directory; an empty directory goes itself. */
        private CompletionStage<Void> remove(StoreTransaction transaction, INode directory, List<Row> children) {
            List<Mutation> mutations = new ArrayList<>();
            INode down = null;
            for (Row row : children) {
                INode child = Rows.inode(row);
                if (child.isFile()) {
                    mutations.add(new Mutation.Delete(row.key()));
                    SmallFiles.remove(child, mutations);
                } else if (down == null) {
                    down = child;
                }
            }
            if (down != null) {
                stack.push(down);
            } else if (children.size() < batch) {
                mutations.add(new Mutation.Delete(Rows.inodeKey(directory.parentId(), directory.name())));
                mutations.add(new Mutation.Delete(Rows.statsKey(directory.id())));
                stack.pop();
            }
            int removed = mutations.size();
            return transaction.commit(mutations, Long.MAX_VALUE).thenRun(() -> telemetry.reclaimed(removed));
        }
    }
}
