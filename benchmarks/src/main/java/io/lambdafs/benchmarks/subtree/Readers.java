package io.lambdafs.benchmarks.subtree;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Readers that watch moving directories all the time. Each round lists the parent, which must show every tree under
 * exactly one of its names; lists a subdirectory under the name seen, which must be complete or gone; and stats a file.
 * Thread-safe.
 */
final class Readers {
    private static final long PAUSE_MILLIS = 20;
    private static final int KEPT = 20;

    private final LambdaFs client;
    private final FsPath parent;
    private final List<BenchTree> trees;
    private final Executor later = CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    private final AtomicLong reads = new AtomicLong();
    private final List<String> torn = Collections.synchronizedList(new ArrayList<>());
    private final List<CompletableFuture<Void>> running = new ArrayList<>();
    private volatile boolean stopped;

    Readers(LambdaFs client, FsPath parent, List<BenchTree> trees) {
        this.client = client;
        this.parent = parent;
        this.trees = List.copyOf(trees);
    }

    void start(int count) {
        for (int i = 0; i < count; i++) {
            CompletableFuture<Void> end = new CompletableFuture<>();
            running.add(end);
            round(end);
        }
    }

    private void round(CompletableFuture<Void> end) {
        if (stopped) {
            end.complete(null);
            return;
        }
        listing(parent).thenCompose(this::judge).whenComplete((done, thrown) -> {
            if (thrown != null) {
                end.completeExceptionally(thrown);
            } else {
                later.execute(() -> round(end));
            }
        });
    }

    private CompletionStage<List<String>> listing(FsPath directory) {
        reads.incrementAndGet();
        return client.execute(new ReadOperation.ListPage(directory, "", Operation.MAX_PAGE))
                .thenApply(page -> page.entries().stream().map(Attributes::name).toList());
    }

    private CompletionStage<Void> judge(List<String> names) {
        for (BenchTree tree : trees) {
            boolean first = names.contains(tree.name(0));
            boolean second = names.contains(tree.name(1));
            if (first == second) {
                report(tree.name(0) + (first ? " and " : " and not ") + tree.name(1) + " in " + names);
                return CompletableFuture.completedFuture(null);
            }
        }
        BenchTree tree = trees.get(ThreadLocalRandom.current().nextInt(trees.size()));
        FsPath root = parent.child(names.contains(tree.name(0)) ? tree.name(0) : tree.name(1));
        int directory = ThreadLocalRandom.current().nextInt(tree.directories());
        int file = ThreadLocalRandom.current().nextInt(tree.filesIn(directory));
        return orMoved(listing(BenchTree.directory(root, directory)).thenAccept(found -> {
                    if (found.size() != tree.filesIn(directory)) {
                        report(found.size() + " of " + tree.filesIn(directory) + " files in "
                                + BenchTree.directory(root, directory));
                    }
                }))
                .thenCompose(listed -> {
                    reads.incrementAndGet();
                    CompletionStage<Reply.Status> status =
                            client.execute(new ReadOperation.Stat(BenchTree.file(root, directory, file)));
                    return orMoved(status.thenAccept(found -> {}));
                });
    }

    /** Accepts NOT_FOUND: the tree may have moved meanwhile. Any other failure stands. */
    private static CompletionStage<Void> orMoved(CompletionStage<Void> stage) {
        return stage.exceptionally(thrown -> {
            FsException failure = FsException.of(thrown);
            if (failure.code() != ErrorCode.NOT_FOUND) {
                throw failure;
            }
            return null;
        });
    }

    private void report(String what) {
        if (torn.size() < KEPT) {
            torn.add(what);
        }
    }

    long reads() {
        return reads.get();
    }

    List<String> torn() {
        return List.copyOf(torn);
    }

    /** Ends the readers; fails as the first failed one did. */
    void stop() {
        stopped = true;
        try {
            CompletableFuture.allOf(running.toArray(CompletableFuture<?>[]::new))
                    .join();
        } catch (RuntimeException e) {
            throw FsException.of(e);
        }
    }
}
