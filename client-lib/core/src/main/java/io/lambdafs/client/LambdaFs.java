package io.lambdafs.client;

import io.lambdafs.client.block.BlockTransfer;
import io.lambdafs.client.call.Call;
import io.lambdafs.client.call.Calls;
import io.lambdafs.client.call.WarmUp;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.http.Invoker;
import io.lambdafs.client.metrics.ClientMetrics;
import io.lambdafs.client.runtime.ClientRuntime;
import io.lambdafs.client.runtime.ClusterConnections;
import io.lambdafs.client.tcp.Credentials;
import io.lambdafs.client.tcp.TcpServer;
import io.lambdafs.client.transport.FunctionCalls;
import io.lambdafs.client.transport.HybridTransport;
import io.lambdafs.model.AclEntry;
import io.lambdafs.model.AttributeOperation;
import io.lambdafs.model.Attributes;
import io.lambdafs.model.BlockOperation;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FileOperation;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.INode;
import io.lambdafs.model.NamespaceOperation;
import io.lambdafs.model.OpenFile;
import io.lambdafs.model.Operation;
import io.lambdafs.model.Operation.RenameMode;
import io.lambdafs.model.ReadOperation;
import io.lambdafs.model.Reply;
import io.lambdafs.model.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client of one file system, acting for one user: asynchronous; {@link BlockingLambdaFs} is the blocking face. Every stage
 * fails with an {@link FsException} and nothing else ({@link FsException#of} unwraps it where stages are chained), within the
 * deadline of {@link ClientConfig#times}; an error whose disposition is OUTCOME_UNKNOWN says that a write may have taken effect. Writes take effect at most once, however often the
 * network makes the client repeat them.
 *
 * <p>Stages complete on the event loop that read the reply, or on a thread of the client's small pool: what depends on them must not
 * block, or must move elsewhere by an {@code …Async} method with an executor of the caller's. Operations under way are bounded ({@link ClientConfig#maxInFlight});
 * one more fails with {@code OVERLOADED} at once. Clients of one process share TCP servers and connections. Thread-safe.
 */
public final class LambdaFs implements AutoCloseable {
    /** Most paths that {@link #deleteEach} takes. */
    public static final int MAX_DELETES = 2_000;

    private static final byte[] EMPTY = {};

    private final ClientConfig config;
    private final ClientRuntime runtime;
    private final ClusterConnections cluster;
    private final @Nullable TcpServer server;
    private final Credentials credentials;
    private final ClientMetrics metrics;
    private final HybridTransport transport;
    private final Calls calls;
    private final AtomicLong reads = new AtomicLong();
    private final AtomicBoolean closed = new AtomicBoolean();

    private LambdaFs(ClientConfig config, ClientRuntime runtime, @Nullable Invoker given) {
        this.config = config;
        this.runtime = runtime;
        ClientRuntime.Context context = runtime.context();
        this.credentials = Credentials.of(config, context.scheduler());
        this.cluster = runtime.cluster(config);
        this.server = cluster.join();
        this.metrics = new ClientMetrics(cluster::servers, cluster::connections, cluster::borrowedConnections);
        Invoker invoker = given != null ? given : runtime.httpInvoker(config);
        HybridTransport.Context shared =
                new HybridTransport.Context(cluster, server, invoker, credentials, context.scheduler(), metrics);
        this.transport = new HybridTransport(
                shared, new FunctionCalls(shared, config.times().deadline()), config);
        this.calls = new Calls(config, context, transport, metrics);
    }

    /** Opens a client on this process's own event loops, threads and clock. Nothing is sent before the first operation. */
    public static LambdaFs open(ClientConfig config) {
        return open(ClientRuntime.process(), config, null);
    }

    /** Opens a client on a given runtime, which the caller closes after its clients. */
    public static LambdaFs open(ClientConfig config, ClientRuntime runtime) {
        return open(runtime.retained(), config, null);
    }

    /** Opens a client that calls functions in another way than by HTTP. */
    public static LambdaFs open(ClientConfig config, ClientRuntime runtime, Invoker invoker) {
        return open(runtime.retained(), config, invoker);
    }

    private static LambdaFs open(ClientRuntime retained, ClientConfig config, @Nullable Invoker invoker) {
        try {
            return new LambdaFs(config, retained, invoker);
        } catch (RuntimeException failure) {
            retained.release();
            throw failure;
        }
    }

    /** Does an operation; fails with an {@link FsException}. */
    public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
        FsException refusal = calls.admit();
        if (refusal != null) {
            return CompletableFuture.failedFuture(refusal);
        }
        if (server == null || cluster.isReady(server)) {
            return start(operation);
        }
        return cluster.ready(server)
                .whenComplete((ready, failure) -> {
                    if (failure != null) {
                        calls.dismiss();
                    }
                })
                .thenCompose(ready -> start(operation));
    }

    /** The same for an operation that is refused, before it is sent, for what is asked of it. */
    private <R extends Reply> CompletionStage<R> execute(Supplier<Operation<R>> making) {
        Operation<R> operation;
        try {
            operation = making.get();
        } catch (FsException refused) {
            return CompletableFuture.failedFuture(refused);
        }
        return execute(operation);
    }

    private <R extends Reply> CompletionStage<R> start(Operation<R> operation) {
        return new Call<>(calls, operation).start(reads.incrementAndGet());
    }

    /** Wakes an instance of every deployment that has none connected; fails if one cannot be had by the deadline. */
    public CompletionStage<Void> warmUp() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < cluster.placement().deployments(); i++) {
            int deployment = i;
            CompletionStage<Void> awake =
                    server == null ? wake(deployment) : cluster.ready(server).thenCompose(ready -> wake(deployment));
            all.add(awake.toCompletableFuture());
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    private CompletionStage<Void> wake(int deployment) {
        return WarmUp.of(calls, deployment, () -> stat(FsPath.ROOT));
    }

    /** Attributes of a file or directory; {@code NOT_FOUND} if there is none. */
    public CompletionStage<Attributes> stat(FsPath path) {
        return execute(new ReadOperation.Stat(path)).thenApply(Reply.Status::attributes);
    }

    /** One page of a directory, after the name given; the one entry of a file. */
    public CompletionStage<Reply.Page> list(FsPath path, String startAfter, int limit) {
        return execute(() -> new ReadOperation.ListPage(path, startAfter, limit));
    }

    /** All pages of a directory, one by one. */
    public Lister lister(FsPath path, int pageSize) {
        return new Lister(this, path, pageSize);
    }

    /** Attributes and content, where it is kept with the metadata. */
    public CompletionStage<Reply.Opened> open(FsPath path) {
        return execute(new ReadOperation.Open(path));
    }

    /** The whole content of a file; {@code NO_CONTENT} or {@code NEEDS_DATANODE} where it is not with the metadata. */
    public CompletionStage<byte[]> read(FsPath path) {
        return open(path).thenApply(opened -> content(path, opened));
    }

    /** Opens a file to be read, of any length. */
    public CompletionStage<FileReader> reader(FsPath path) {
        return open(path).thenApply(opened -> new FileReader(this, path, opened));
    }

    /** Makes an empty file, and opens it to be written, to any length. */
    public CompletionStage<FileWriter> writer(FsPath path, CreateOptions options) {
        return begin(path, options).thenApply(file -> new FileWriter(this, path, file));
    }

    /** Opens a file to append to it; fails with {@code BEING_WRITTEN} where somebody writes it. */
    public CompletionStage<FileWriter> appender(FsPath path) {
        return execute(new BlockOperation.TakeLease(path, false))
                .thenApply(leased -> new FileWriter(this, path, leased));
    }

    /**
     * Closes a file in the place of its writer, who can add nothing any more; the file keeps what has been made durable.
     *
     * @return whether somebody had it open
     */
    public CompletionStage<Boolean> recover(FsPath path) {
        return stat(path).thenCompose(found -> {
            if (found.isDirectory()) {
                throw new FsException(ErrorCode.IS_A_DIRECTORY, "is a directory: \"" + path + "\"");
            }
            return found.content() == INode.Content.WRITING
                    ? execute(new BlockOperation.TakeLease(path, true)).thenCompose(leased -> close(path, leased))
                    : CompletableFuture.completedFuture(false);
        });
    }

    private CompletionStage<Boolean> close(FsPath path, Reply.Leased leased) {
        return leased.generation() == 0
                ? CompletableFuture.completedFuture(false)
                : execute(new BlockOperation.CompleteBlocks(
                                path, leased.file(), leased.generation(), leased.blocks(), null))
                        .thenApply(closed -> true);
    }

    /** Cuts a file to a length, at once; fails with {@code BEING_WRITTEN} where somebody writes it. */
    public CompletionStage<Boolean> truncate(FsPath path, long length) {
        return execute(() -> new BlockOperation.Truncate(path, length)).thenApply(Reply.Done::changed);
    }

    static byte[] content(FsPath path, Reply.Opened opened) {
        byte[] content = opened.content();
        if (content != null) {
            return content;
        }
        Attributes attributes = opened.attributes();
        if (attributes.content() == INode.Content.ABSENT) {
            throw new FsException(
                    ErrorCode.NO_CONTENT,
                    "read " + path + ": the file was imported without its content of " + attributes.size() + " bytes");
        }
        if (attributes.size() > 0) {
            throw new FsException(
                    ErrorCode.NEEDS_DATANODE,
                    "read " + path + ": its " + attributes.size()
                            + " bytes are in blocks, not with the metadata: open it by reader()");
        }
        return new byte[0];
    }

    /**
     * Checks that the user may do something with a file or directory; fails with {@code PERMISSION_DENIED} where it may not.
     *
     * @param wanted 4 to read, 2 to write, 1 to execute, added
     */
    public CompletionStage<Boolean> access(FsPath path, int wanted) {
        return execute(() -> new ReadOperation.Access(path, wanted)).thenApply(Reply.Done::changed);
    }

    /** Makes a directory and its missing ancestors; true also if it was there. */
    public CompletionStage<Boolean> mkdirs(FsPath path, int mode) {
        return mkdirs(path, mode, true);
    }

    /** @param createParents whether missing ancestors are made; otherwise the parent must exist */
    public CompletionStage<Boolean> mkdirs(FsPath path, int mode, boolean createParents) {
        return mkdirs(path, mode, mode, createParents);
    }

    /** @param unmasked the mode without the caller's umask, which counts instead in a directory with a default ACL */
    public CompletionStage<Boolean> mkdirs(FsPath path, int mode, int unmasked, boolean createParents) {
        return execute(() -> new NamespaceOperation.Mkdirs(path, mode, unmasked, createParents))
                .thenApply(Reply.Done::changed);
    }

    /** Makes a file with its content. */
    public CompletionStage<Attributes> create(FsPath path, byte[] content, CreateOptions options) {
        return make(path, content, options).thenApply(Reply.Status::attributes);
    }

    /** Makes an empty file, for its content to be given by {@link #complete}. */
    public CompletionStage<OpenFile> begin(FsPath path, CreateOptions options) {
        return make(path, EMPTY, options).thenApply(Reply.Status::file);
    }

    private CompletionStage<Reply.Status> make(FsPath path, byte[] content, CreateOptions options) {
        return execute(() -> new FileOperation.Create(
                path,
                options.mode(),
                options.unmasked(),
                options.overwrite(),
                options.createParents(),
                options.replication(),
                options.blockSize(),
                content,
                null));
    }

    /**
     * Gives an empty file its content, wherever it has been moved meanwhile; fails with {@code NOT_FOUND} where it was deleted or replaced,
     * with {@code NOT_UNDER_CONSTRUCTION} where it has a content already.
     *
     * @param path where it was made
     * @param file what {@link #begin} answered
     */
    public CompletionStage<Attributes> complete(FsPath path, OpenFile file, byte[] content) {
        return execute(() -> new FileOperation.Complete(path, file, content)).thenApply(Reply.Status::attributes);
    }

    /** Removes a file or directory; false if there is none. */
    public CompletionStage<Boolean> delete(FsPath path, boolean recursive) {
        return execute(new NamespaceOperation.Delete(path, recursive)).thenApply(Reply.Done::changed);
    }

    /**
     * Removes files and empty directories by one message to each deployment that owns some of them; in no order, so that none may be below another.
     *
     * @return what became of each, in their order, a {@link Reply.Done} or a {@link Reply.Failure}. Where a message failed that is the failure of all paths in it, some of which may
     *     have been removed
     * @throws IllegalArgumentException there are none, or more than {@link #MAX_DELETES}
     */
    public CompletionStage<List<Reply>> deleteEach(List<FsPath> paths) {
        if (paths.isEmpty() || paths.size() > MAX_DELETES) {
            throw new IllegalArgumentException("1.." + MAX_DELETES + " paths are removed at once, not " + paths.size());
        }
        return new BulkDeletes(this, calls.bulkIds()).run(paths, cluster.placement());
    }

    /** Moves a file or directory; false where HDFS's older rename answers so. */
    public CompletionStage<Boolean> rename(FsPath source, FsPath destination, RenameMode mode) {
        return execute(() -> new NamespaceOperation.Rename(source, destination, mode))
                .thenApply(Reply.Done::changed);
    }

    /** chmod. */
    public CompletionStage<Boolean> setPermission(FsPath path, int mode) {
        return execute(() -> new AttributeOperation.SetPermission(path, mode)).thenApply(Reply.Done::changed);
    }

    /** chown and chgrp; null keeps what is. */
    public CompletionStage<Boolean> setOwner(FsPath path, @Nullable String owner, @Nullable String group) {
        return execute(new AttributeOperation.SetOwner(path, owner, group)).thenApply(Reply.Done::changed);
    }

    /** Sets times, milliseconds since 1970; a negative value keeps what is. */
    public CompletionStage<Boolean> setTimes(FsPath path, long mtime, long atime) {
        return execute(new AttributeOperation.SetTimes(path, mtime, atime)).thenApply(Reply.Done::changed);
    }

    /** Sets a file's replication; false if there is no such file. */
    public CompletionStage<Boolean> setReplication(FsPath path, int replication) {
        return execute(() -> new AttributeOperation.SetReplication(path, replication))
                .thenApply(Reply.Done::changed);
    }

    /**
     * Extended attributes that the caller may see, by their names.
     *
     * @param withValues whether values are wanted too, for which the right to read is needed
     */
    public CompletionStage<SortedMap<String, byte[]>> xattrs(FsPath path, boolean withValues) {
        return execute(new ReadOperation.GetXattrs(path, withValues)).thenApply(Reply.Xattrs::values);
    }

    /** Sets an extended attribute, as {@link AttributeOperation.SetXattr} says. */
    public CompletionStage<Boolean> setXattr(FsPath path, String name, byte[] value, boolean create, boolean replace) {
        return execute(() -> new AttributeOperation.SetXattr(path, name, value, create, replace))
                .thenApply(Reply.Done::changed);
    }

    /** Removes an extended attribute; fails with {@code NO_XATTR} where there is none. */
    public CompletionStage<Boolean> removeXattr(FsPath path, String name) {
        return execute(new AttributeOperation.RemoveXattr(path, name)).thenApply(Reply.Done::changed);
    }

    /** Owner, group, mode and ACL of a file or directory. */
    public CompletionStage<Reply.AclStatus> acl(FsPath path) {
        return execute(new ReadOperation.GetAcl(path));
    }

    /** Changes an ACL, as {@link AttributeOperation.ChangeAcl} says; fails with {@code INVALID_ACL} where none would come of it. */
    public CompletionStage<Boolean> changeAcl(
            FsPath path, AttributeOperation.AclChange change, List<AclEntry> entries) {
        return execute(new AttributeOperation.ChangeAcl(path, change, entries)).thenApply(Reply.Done::changed);
    }

    /** The storage policy that holds for a file or directory, and the block stores that policies can choose. */
    public CompletionStage<Reply.StoragePolicy> storagePolicy(FsPath path) {
        return execute(new ReadOperation.GetStoragePolicy(path));
    }

    /** Sets a storage policy, as {@link AttributeOperation.SetStoragePolicy} says; fails with {@code INVALID_ARGUMENT} where there is none of the name. */
    public CompletionStage<Boolean> setStoragePolicy(FsPath path, String policy) {
        return execute(() -> new AttributeOperation.SetStoragePolicy(path, policy))
                .thenApply(Reply.Done::changed);
    }

    /** Returns whether the file system is in safe mode, in which it is read and not changed. */
    public CompletionStage<Boolean> safeMode() {
        return execute(new ReadOperation.GetSafeMode(FsPath.ROOT)).thenApply(Reply.Done::changed);
    }

    /** Puts the file system into safe mode, or takes it out; for superusers. No write that began before is under way when it is done. */
    public CompletionStage<Boolean> setSafeMode(boolean on) {
        return execute(new AttributeOperation.SetSafeMode(FsPath.ROOT, on)).thenApply(Reply.Done::changed);
    }

    public ClientConfig config() {
        return config;
    }

    public ClientMetrics metrics() {
        return metrics;
    }

    BlockTransfer blocks() {
        return runtime.blocks(config);
    }

    Scheduler scheduler() {
        return runtime.context().scheduler();
    }

    /** For a call that begins now, on a file. */
    Patience patience(FsPath path) {
        return new Patience(scheduler(), config.times().deadline().toNanos(), path);
    }

    /** The failure of a datanode, which does not know of which file its block is, with the file's path. */
    static FsException named(FsPath path, FsException why) {
        String message = String.valueOf(why.getMessage());
        String quoted = "\"" + path + "\"";
        return message.contains(quoted) ? why : new FsException(why.code(), quoted + ": " + message, why);
    }

    /** Operations under way. */
    public int inFlight() {
        return calls.inFlight();
    }

    /** Refuses new operations and repeats none any more; the last client of a server closes its connections. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            calls.close();
            cluster.leave(server, credentials);
            runtime.release();
        }
    }
}
