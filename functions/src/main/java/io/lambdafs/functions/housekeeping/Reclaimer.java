package io.lambdafs.functions.housekeeping;

import io.lambdafs.functions.metrics.Telemetry;
import io.lambdafs.functions.namenode.NameNodeSettings;
import io.lambdafs.functions.namenode.block.SmallFiles;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.time.Chore;
import io.lambdafs.model.time.Loop;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Stages;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.snapshot.LiveSnapshots;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Removes the rows of detached trees (the paper's appendix D). A detached tree is a directory without a path. Each
 * batch is one transaction under the exclusive lock of that directory's row: it removes files and detaches
 * subdirectories, which become trees of their own. So all instances can work on one tree, and after a crash between
 * batches any instance continues. The rows have no path, so no instance caches them. One run at a time per instance,
 * with several concurrent transactions. Thread-safe.
 */
public final class Reclaimer implements Housekeeper {
    private static final long PERIOD_NANOS = 5_000_000_000L;
    /** Short, because a tree whose root another instance has locked is left to that instance. */
    private static final long LOCK_WAIT_NANOS = 1_000_000L;

    private static final int ROOTS_PER_LOOK = 1_000;

    private final MetadataStore store;
    private final LongSupplier epoch;
    private final NameNodeSettings.Reclaim limits;
    private final Telemetry telemetry;
    private final FileReclaimer files;
    private final AtomicBoolean running = new AtomicBoolean();
    private final Chore chore;

    /** @param epoch the instance's live epoch; 0 if it has none, when nothing is done */
    public Reclaimer(
            MetadataStore store,
            Scheduler scheduler,
            LongSupplier epoch,
            NameNodeSettings.Reclaim limits,
            Telemetry telemetry) {
        this.store = store;
        this.epoch = epoch;
        this.limits = limits;
        this.telemetry = telemetry;
        this.files = new FileReclaimer(store, scheduler, limits.batch());
        this.chore = Chore.every(PERIOD_NANOS, scheduler, () -> {
            run();
            return CompletableFuture.completedFuture(null);
        });
    }

    /** Starts reclaiming, now and every five seconds. */
    @Override
    public void start() {
        if (!chore.isClosed()) {
            run();
            chore.start();
        }
    }

    @Override
    public void close() {
        chore.close();
    }

    /** Reclaims the currently detached trees, unless a run is under way; completes when done, even after failures. */
    public CompletionStage<Void> run() {
        long current = epoch.getAsLong();
        if (current == 0 || !running.compareAndSet(false, true)) {
            return CompletableFuture.completedFuture(null);
        }
        return Stages.call(() -> new Run(current).begin())
                .thenCompose(done -> files.run(current))
                .handle((done, error) -> {
                    // Failures are retried by the next run, here or at another instance.
                    running.set(false);
                    return null;
                });
    }

    /** Finds and clears trees repeatedly until only those of other instances are left. */
    private final class Run {
        private final long current;
        private final Queue<INode> roots = new ConcurrentLinkedQueue<>();
        private volatile boolean progressed;
        private volatile LiveSnapshots live = LiveSnapshots.NONE;

        Run(long current) {
            this.current = current;
        }

        CompletionStage<Void> begin() {
            return Loop.whileTrue(
                    () -> look().thenCompose(found -> readLive(found).thenCompose(done -> clear(found))));
        }

        /** Reads which snapshots there are, if any may see what is to be removed: after the trees, so that it knows all that may. */
        private CompletionStage<Void> readLive(List<Row> found) {
            return found.stream().map(Rows::inode).allMatch(root -> root.floor() == 0)
                    ? CompletableFuture.completedFuture(null)
                    : LiveSnapshots.read(store, current).thenAccept(now -> live = now);
        }

        private CompletionStage<List<Row>> look() {
            StoreTransaction look = store.begin(current);
            return look.scan(new Scan(Schema.INODES, INode.RECLAIM_ID, null, ROOTS_PER_LOOK))
                    .whenComplete((found, error) -> look.abort());
        }

        /** Clears the trees found; completes with whether to look again. */
        private CompletionStage<Boolean> clear(List<Row> found) {
            List<INode> trees = new ArrayList<>(found.size());
            found.forEach(row -> trees.add(Rows.inode(row)));
            if (!trees.isEmpty()) {
                // Each instance starts at a different tree, so that they rarely collide.
                Collections.rotate(trees, Long.hashCode(current * 0x9E3779B97F4A7C15L) % trees.size());
            }
            roots.addAll(trees);
            progressed = false;
            List<CompletableFuture<Void>> workers = new ArrayList<>();
            for (int i = 0; i < Math.min(limits.parallel(), trees.size()); i++) {
                workers.add(Loop.whileTrue(this::work).toCompletableFuture());
            }
            return CompletableFuture.allOf(workers.toArray(CompletableFuture<?>[]::new))
                    .thenApply(done -> progressed && !chore.isClosed());
        }

        /** Clears the next tree; completes with whether there may be more. */
        private CompletionStage<Boolean> work() {
            INode root = roots.poll();
            if (root == null || chore.isClosed()) {
                return CompletableFuture.completedFuture(false);
            }
            return new Tree(root)
                    .clear()
                    .thenApply(done -> true)
                    .exceptionallyCompose(error -> FsException.of(error).code() == ErrorCode.STORE_CONFLICT
                            ? CompletableFuture.completedFuture(true)
                            : CompletableFuture.failedFuture(error));
        }

        /** One detached tree, batch by batch. */
        private final class Tree {
            private final INode root;
            /** Name of the last child removed; null before the first batch. */
            private @Nullable String after;

            Tree(INode root) {
                this.root = root;
            }

            CompletionStage<Void> clear() {
                return Loop.whileTrue(() -> batch(root, after).thenApply(last -> {
                    after = last;
                    return last != null && !chore.isClosed();
                }));
            }
        }

        /**
         * Removes a batch of a tree; completes with the name of the last child removed, or null if nothing is left.
         *
         * @param after name of the last child removed before
         */
        private CompletionStage<@Nullable String> batch(INode root, @Nullable String after) {
            StoreTransaction transaction = store.begin(current);
            return transaction
                    .read(
                            List.of(
                                    Read.shared(Rows.instanceKey(current)),
                                    Read.exclusive(Rows.inodeKey(root.parentId(), root.name()))),
                            LOCK_WAIT_NANOS)
                    .thenCompose(rows -> rows.get(0) == null || rows.get(1) == null
                            ? CompletableFuture.<@Nullable String>completedFuture(null)
                            : transaction
                                    .scan(new Scan(Schema.INODES, root.id(), after, limits.batch()))
                                    .thenCompose(children -> remove(transaction, root, children)))
                    .whenComplete((last, error) -> transaction.abort());
        }

        /**
         * Returns whether a mutation counts as a row. Locations and totals do not: they belong to their INode, which
         * need not have one.
         */
        private static boolean countsAsRow(Mutation mutation) {
            return mutation instanceof Mutation.Delete
                    && !mutation.key().table().equals(Schema.LOCATIONS)
                    && !mutation.key().table().equals(Schema.DIRECTORY_TOTALS);
        }

        /** Removes a batch of children; completes with the name of the last, or null when the root is gone too. */
        private CompletionStage<@Nullable String> remove(StoreTransaction transaction, INode root, List<Row> children) {
            List<Mutation> mutations = new ArrayList<>();
            DetachedVersions versions = new DetachedVersions(root.floor(), live, mutations);
            int detached = 0;
            for (Row row : children) {
                INode child = Rows.inode(row);
                mutations.add(new Mutation.Delete(row.key()));
                if (child.isFile()) {
                    versions.removeFile(child);
                } else {
                    mutations.add(new Mutation.Put(versions.detached(child)));
                    mutations.add(new Mutation.Delete(Rows.locationKey(child.id())));
                    detached++;
                }
            }
            int moved = detached;
            boolean last = children.size() < limits.batch();
            if (last) {
                mutations.add(new Mutation.Delete(Rows.inodeKey(root.parentId(), root.name())));
                SmallFiles.removeExtras(root, mutations);
            }
            return (last
                            ? versions.removeCounts(transaction, root.id())
                            : CompletableFuture.<Void>completedFuture(null))
                    .thenCompose(done -> commit(transaction, mutations, moved, last, children));
        }

        private CompletionStage<@Nullable String> commit(
                StoreTransaction transaction, List<Mutation> mutations, int moved, boolean last, List<Row> children) {
            int removed = (int) mutations.stream().filter(Run::countsAsRow).count() - moved;
            return transaction.commit(mutations, Long.MAX_VALUE).thenApply(done -> {
                progressed = true;
                telemetry.reclaimed(removed);
                return last
                        ? null
                        : Rows.inode(children.get(children.size() - 1)).name();
            });
        }
    }
}
