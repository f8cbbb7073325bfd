package io.lambdafs.client;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.idle.SpinThenPark;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The blocking client: like {@link LambdaFs}, but each method waits for the result, at most until the client's
 * deadline, and throws {@link FsException}. An interrupt ends the wait, not the operation: a write may still take
 * effect. Must not be called from the completion of a client's stage. The only blocking class of this package.
 * Thread-safe.
 */
public final class BlockingLambdaFs implements AutoCloseable {
    private static final int PAGE = 1_000;
    private static final SpinThenPark AWAKE = new SpinThenPark(
            4 * Runtime.getRuntime().availableProcessors(), System::nanoTime, BlockingLambdaFs::giveTurn);

    private final LambdaFs fs;

    public BlockingLambdaFs(LambdaFs fs) {
        this.fs = fs;
    }

    public static BlockingLambdaFs open(ClientConfig config) {
        return new BlockingLambdaFs(LambdaFs.open(config));
    }

    /** Returns the underlying asynchronous client. */
    public LambdaFs async() {
        return fs;
    }

    /** Waits for a client's stage. */
    public static <T> T await(CompletionStage<T> stage) throws InterruptedException {
        CompletableFuture<T> answer = stage.toCompletableFuture();
        AWAKE.until(answer::isDone);
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw FsException.of(e);
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // Only a hint: correctness does not depend on it.
    private static void giveTurn() {
        Thread.yield();
    }

    public <R extends Reply> R execute(Operation<R> operation) throws InterruptedException {
        return await(fs.execute(operation));
    }

    public void warmUp() throws InterruptedException {
        await(fs.warmUp());
    }

    public Attributes stat(FsPath path) throws InterruptedException {
        return await(fs.stat(path));
    }

    /** Blocks on {@link LambdaFs#truncate}. */
    public void truncate(FsPath path, long length) throws InterruptedException {
        await(fs.truncate(path, length));
    }

    /**
     * Appends the contents of some files to another file in the same directory, atomically. Inline content is first put
     * into blocks.
     */
    public void concat(FsPath path, List<FsPath> sources) throws InterruptedException {
        concat(path, sources, step -> null);
    }

    /**
     * Does so once, however often it is repeated.
     *
     * @param ids of the steps' requests by number, as in {@link LambdaFs#execute(Operation, RequestId)}, the same ones in
     *     each repetition
     */
    public void concat(FsPath path, List<FsPath> sources, IntFunction<@Nullable RequestId> ids)
            throws InterruptedException {
        Operation<Reply.Done> concat = new BlockOperation.Concat(path, sources);
        try {
            await(fs.execute(concat, ids.apply(0)));
            return;
        } catch (FsException e) {
            if (e.code() != ErrorCode.NEEDS_DATANODE) {
                throw e;
            }
        }
        FsException notPut = null;
        try {
            putIntoBlocks(path, sources, ids);
        } catch (FsException e) {
            // Perhaps the sources are gone, and this is a repetition.
            notPut = e;
        }
        try {
            await(fs.execute(concat, ids.apply(1)));
        } catch (FsException e) {
            throw notPut != null && e.code() == ErrorCode.NEEDS_DATANODE ? notPut : e;
        }
    }

    private void putIntoBlocks(FsPath path, List<FsPath> sources, IntFunction<@Nullable RequestId> ids)
            throws InterruptedException {
        List<FsPath> all = new ArrayList<>(sources);
        all.add(path);
        int step = 2;
        for (FsPath each : all) {
            if (stat(each).content() == INode.Content.INLINE) {
                FileWriter writer = await(fs.appender(each, ids.apply(step)));
                try {
                    writer.completeInBlocks();
                } finally {
                    writer.abandon();
                }
            }
            step++;
        }
    }

    public Reply.Page list(FsPath path, String startAfter, int limit) throws InterruptedException {
        return await(fs.list(path, startAfter, limit));
    }

    /**
     * Returns all entries, fetched page by page on demand; an interrupt while fetching surfaces as an {@code
     * INTERRUPTED} failure.
     */
    public Iterator<Attributes> list(FsPath path) {
        return new Entries(fs.lister(path, PAGE));
    }

    public Reply.Opened open(FsPath path) throws InterruptedException {
        return await(fs.open(path));
    }

    public byte[] read(FsPath path) throws InterruptedException {
        return await(fs.read(path));
    }

    public boolean mkdirs(FsPath path, int mode) throws InterruptedException {
        return await(fs.mkdirs(path, mode));
    }

    public Attributes create(FsPath path, byte[] content, CreateOptions options) throws InterruptedException {
        return await(fs.create(path, content, options));
    }

    public OpenFile begin(FsPath path, CreateOptions options) throws InterruptedException {
        return await(fs.begin(path, options));
    }

    public Attributes complete(FsPath path, OpenFile file, byte[] content) throws InterruptedException {
        return await(fs.complete(path, file, content));
    }

    public boolean delete(FsPath path, boolean recursive) throws InterruptedException {
        return await(fs.delete(path, recursive));
    }

    public boolean rename(FsPath source, FsPath destination, RenameMode mode) throws InterruptedException {
        return await(fs.rename(source, destination, mode));
    }

    public boolean setPermission(FsPath path, int mode) throws InterruptedException {
        return await(fs.setPermission(path, mode));
    }

    public boolean setOwner(FsPath path, @Nullable String owner, @Nullable String group) throws InterruptedException {
        return await(fs.setOwner(path, owner, group));
    }

    public boolean setTimes(FsPath path, long mtime, long atime) throws InterruptedException {
        return await(fs.setTimes(path, mtime, atime));
    }

    public boolean setReplication(FsPath path, int replication) throws InterruptedException {
        return await(fs.setReplication(path, replication));
    }

    public ClientMetrics metrics() {
        return fs.metrics();
    }

    @Override
    public void close() {
        fs.close();
    }

    private static final class Entries implements Iterator<Attributes> {
        private final Lister lister;
        private Iterator<Attributes> page = List.<Attributes>of().iterator();

        Entries(Lister lister) {
            this.lister = lister;
        }

        @Override
        public boolean hasNext() {
            while (!page.hasNext() && !lister.isAtEnd()) {
                try {
                    page = await(lister.next()).iterator();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new FsException(ErrorCode.INTERRUPTED, "a listing was interrupted", e);
                }
            }
            return page.hasNext();
        }

        @Override
        public Attributes next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return page.next();
        }
    }
}
