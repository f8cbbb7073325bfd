package io.lambdafs.hammer.tree;

import io.lambdafs.hammer.tree.LocalTree.Found;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends the creations of an import in breadth-first order with a bounded number in flight. A child waits for its
 * parent's reply, which in this order has nearly always arrived. One thread runs it; replies arrive on any thread.
 */
final class ImportPipeline {
    private static final int REPLICATION = 1;
    private static final long BLOCK_BYTES = 128L << 20;
    /** Permission bits that a directory's owner needs to fill it. */
    private static final int FILLABLE = 0300;

    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);
    private static final long PROGRESS_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final ImportSettings settings;
    private final Target target;
    private final LocalTree tree;
    private final Consumer<ImportProgress> progress;
    private final Semaphore window;
    private final AtomicLong done = new AtomicLong();
    private final AtomicReference<@Nullable FsException> failure = new AtomicReference<>();
    private final long start = System.nanoTime();
    private long lastProgress = start;

    private final List<ImportedTree.Entry> entries = new ArrayList<>();
    private final List<FsPath> paths = new ArrayList<>();
    private final List<CompletableFuture<Void>> replies = new ArrayList<>();

    ImportPipeline(ImportSettings settings, Target target, LocalTree tree, Consumer<ImportProgress> progress) {
        this.settings = settings;
        this.target = target;
        this.tree = tree;
        this.progress = progress;
        this.window = new Semaphore(settings.window());
    }

    /** Blocks until everything is created. */
    List<ImportedTree.Entry> run() {
        List<Found> found = tree.found();
        // The position among the imported entries of each entry of the walk: unreadable files leave gaps.
        int[] landed = new int[found.size()];
        for (int i = 0; i < found.size(); i++) {
            Found item = found.get(i);
            int parent = item.parent() < 0 ? -1 : landed[item.parent()];
            landed[i] = entries.size();
            if (item.directory()) {
                makeDirectory(item, parent);
            } else {
                makeFile(item, parent);
            }
            report(found.size());
        }
        drain();
        restoreModes();
        progress.accept(new ImportProgress(done.get(), entries.size(), rate()));
        return entries;
    }

    private void makeDirectory(Found item, int parent) {
        FsPath path = pathOf(parent, item.name());
        CompletableFuture<Void> reply = send(
                new NamespaceOperation.Mkdirs(path, item.mode() | FILLABLE, false), "make directory " + path, parent);
        add(
                new ImportedTree.Entry(parent, item.name(), ImportedTree.Type.DIRECTORY, item.mode(), 0, 0, false, 0),
                path,
                reply);
    }

    private void makeFile(Found item, int parent) {
        FsPath path = pathOf(parent, item.name());
        byte @Nullable [] content = null;
        if (item.size() <= settings.smallFileBytes()) {
            Path from = item.path();
            try {
                content = from == null ? new byte[(int) item.size()] : Files.readAllBytes(from);
            } catch (IOException unreadable) {
                tree.skip(SkipReason.UNREADABLE);
                return;
            }
            if (content.length > settings.smallFileBytes()) {
                content = null; // It has grown since the walk.
            }
        }
        long size = content == null ? item.size() : content.length;
        FileOperation.Create create = new FileOperation.Create(
                path,
                item.mode(),
                false,
                false,
                REPLICATION,
                BLOCK_BYTES,
                content,
                new FileOperation.Imported(size, item.mtime()));
        long checksum = content == null ? 0 : Contents.checksum(content);
        send(create, "create " + path, parent);
        add(
                new ImportedTree.Entry(
                        parent,
                        item.name(),
                        ImportedTree.Type.FILE,
                        item.mode(),
                        size,
                        item.mtime(),
                        content != null,
                        checksum),
                path,
                DONE);
    }

    private void add(ImportedTree.Entry entry, FsPath path, CompletableFuture<Void> reply) {
        entries.add(entry);
        // Only directories are parents.
        paths.add(entry.isDirectory() ? path : FsPath.ROOT);
        replies.add(reply);
    }

    private FsPath pathOf(int parent, String name) {
        return (parent < 0 ? settings.target() : paths.get(parent)).child(name);
    }

    private <R extends Reply> CompletableFuture<Void> send(Operation<R> operation, String what, int parent) {
        if (parent >= 0) {
            awaitReply(replies.get(parent));
        }
        acquire(1);
        throwIfFailed();
        CompletableFuture<Void> reply = new CompletableFuture<>();
        start(operation).whenComplete((answer, thrown) -> {
            if (thrown == null) {
                done.incrementAndGet();
            } else {
                FsException cause = FsException.of(thrown);
                failure.compareAndSet(
                        null,
                        new FsException(cause.code(), "import could not " + what + ": " + cause.getMessage(), cause));
            }
            window.release();
            reply.complete(null);
        });
        return reply;
    }

    private <R extends Reply> CompletionStage<R> start(Operation<R> operation) {
        try {
            return target.execute(operation);
        } catch (RuntimeException thrown) {
            return CompletableFuture.failedFuture(thrown);
        }
    }

    private void awaitReply(CompletableFuture<Void> reply) {
        if (reply.isDone()) {
            return;
        }
        try {
            reply.get(NamespaceImport.REPLY_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw interrupted(e);
        } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
            throw stalled();
        }
    }

    private void acquire(int permits) {
        try {
            if (!window.tryAcquire(permits, NamespaceImport.REPLY_SECONDS, TimeUnit.SECONDS)) {
                throw stalled();
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private void drain() {
        acquire(settings.window());
        window.release(settings.window());
        throwIfFailed();
    }

    /** Restores the modes of directories that were made writable for the import, the deepest first. */
    private void restoreModes() {
        for (int i = entries.size() - 1; i >= 0; i--) {
            ImportedTree.Entry entry = entries.get(i);
            if (entry.isDirectory() && (entry.mode() & FILLABLE) != FILLABLE) {
                FsPath path = paths.get(i);
                NamespaceImport.await(
                        target, new AttributeOperation.SetPermission(path, entry.mode()), "set the mode of " + path);
            }
        }
    }

    private void throwIfFailed() {
        FsException thrown = failure.get();
        if (thrown != null) {
            throw thrown;
        }
    }

    private FsException stalled() {
        return new FsException(
                ErrorCode.TIMED_OUT,
                "import made no progress for " + NamespaceImport.REPLY_SECONDS + " s after " + done.get()
                        + " entries; see whether the cluster is up");
    }

    private static FsException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new FsException(ErrorCode.INTERRUPTED, "import was interrupted", e);
    }

    private void report(int total) {
        long now = System.nanoTime();
        if (now - lastProgress >= PROGRESS_NANOS) {
            lastProgress = now;
            progress.accept(new ImportProgress(done.get(), total, rate()));
        }
    }

    private double rate() {
        return done.get() / Math.max(1e-3, (System.nanoTime() - start) / 1e9);
    }
}
