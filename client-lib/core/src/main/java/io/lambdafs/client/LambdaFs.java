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
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.AclChange;
import io.lambdafs.model.inode.AclEntry;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.Difference;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.time.Scheduler;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous client of a file system, acting for one user; {@link BlockingLambdaFs} is the blocking one. Stages
 * fail only with {@link FsException}s ({@link FsException#of} unwraps them from chained stages), within the deadline of
 * {@link ClientConfig#times}; the disposition OUTCOME_UNKNOWN means that a write may have taken effect. Writes take
 * effect at most once, however often the client retries them.
 *
 * <p>Stages complete on the event loop that read the reply, or on a thread of the client's small pool: dependents must
 * not block, or must use an {@code …Async} method with the caller's executor. Operations in flight are limited ({@link
 * ClientConfig#maxInFlight}); further ones fail with {@code OVERLOADED} at once. Clients of one process share TCP
 * servers and connections. Thread-safe.
 */
public final class LambdaFs implements AutoCloseable {
    /** Maximum number of paths per {@link #deleteEach}. */
    public static final int MAX_DELETES = 2_000;

    /** Maximum number of directories per {@link #listEach}. */
    public static final int MAX_LISTED = ReadOperation.ListEach.MAX_PATHS;

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

    /** Opens a client with a custom way to call functions. */
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

    /** Executes an operation; fails with an {@link FsException}. */
    public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
        return execute(operation, null);
    }

    /**
     * Executes a write under the caller's own id: it takes effect once, and a repetition under that id, also in another
     * process, gets the first result, as long as slots are kept.
     *
     * @param once of this write alone, the first of a session whose id cannot be guessed; null for one of this client's
     */
    public <R extends Reply> CompletionStage<R> execute(Operation<R> operation, @Nullable RequestId once) {
        FsException refusal = calls.admit();
        if (refusal != null) {
            return CompletableFuture.failedFuture(refusal);
        }
        if (server == null || cluster.isReady(server)) {
            return start(operation, once);
        }
        return cluster.ready(server)
                .whenComplete((ready, failure) -> {
                    if (failure != null) {
                        calls.dismiss();
                    }
                })
                .thenCompose(ready -> start(operation, once));
    }

    /** Executes an operation whose construction may reject its arguments. */
    private <R extends Reply> CompletionStage<R> execute(Supplier<Operation<R>> making) {
        Operation<R> operation;
        try {
            operation = making.get();
        } catch (FsException refused) {
            return CompletableFuture.failedFuture(refused);
        }
        return execute(operation);
    }

    private <R extends Reply> CompletionStage<R> start(Operation<R> operation, @Nullable RequestId once) {
        return new Call<>(calls, operation, once).start(reads.incrementAndGet());
    }

    /** Wakes an instance of every deployment that has none connected; fails if any cannot be woken by the deadline. */
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

    /** Returns the placement that an instance last reported, or the configured one before the first reply. */
    public Placement placement() {
        return cluster.placement();
    }

    /** Returns the attributes of a file or directory; {@code NOT_FOUND} if there is none. */
    public CompletionStage<Attributes> stat(FsPath path) {
        return execute(new ReadOperation.Stat(path)).thenApply(Reply.Status::attributes);
    }

    /** Returns one page of a directory, after the given name, or the single entry of a file. */
    public CompletionStage<Reply.Page> list(FsPath path, String startAfter, int limit) {
        return execute(() -> new ReadOperation.ListPage(path, startAfter, limit));
    }

    /**
     * Returns the first pages of several directories, with one message to each deployment that owns some of them. Each
     * page reflects a moment of its own.
     *
     * @param paths 1–{@value #MAX_LISTED}, different ones
     * @param limit entries in all, from as many as there are deployments to {@value Operation#MAX_PAGE}
     * @return by path a {@link Reply.Page} or {@link Reply.Failure}; of those whose pages fitted only, at least one: the
     *     others are to be asked for again
     */
    public CompletionStage<Map<FsPath, Reply>> listEach(List<FsPath> paths, int limit) {
        if (paths.isEmpty() || paths.size() > MAX_LISTED) {
            throw new IllegalArgumentException(
                    "1.." + MAX_LISTED + " directories are listed at once, not " + paths.size());
        }
        return new BulkListings(this).run(paths, limit, cluster.placement());
    }

    /** Returns a lister of a directory, page by page. */
    public Lister lister(FsPath path, int pageSize) {
        return new Lister(this, path, pageSize);
    }

    /** Opens a file: its attributes, and its content if stored with the metadata. */
    public CompletionStage<Reply.Opened> open(FsPath path) {
        return execute(new ReadOperation.Open(path));
    }

    /**
     * Reads the whole content of a file; {@code NO_CONTENT} or {@code NEEDS_DATANODE} if it is not stored with the
     * metadata.
     */
    public CompletionStage<byte[]> read(FsPath path) {
        return open(path).thenApply(opened -> content(path, opened));
    }

    /** Opens a file of any length for reading. */
    public CompletionStage<FileReader> reader(FsPath path) {
        return open(path).thenApply(opened -> new FileReader(this, path, opened));
    }

    /** Creates an empty file and opens it for writing, to any length. */
    public CompletionStage<FileWriter> writer(FsPath path, CreateOptions options) {
        return begin(path, options).thenApply(file -> new FileWriter(this, path, file));
    }

    /** Opens a created file for writing, whichever client created it. */
    public FileWriter writer(FsPath path, OpenFile created) {
        return new FileWriter(this, path, created);
    }

    /** Opens a file for append; fails with {@code BEING_WRITTEN} if it has another writer. */
    public CompletionStage<FileWriter> appender(FsPath path) {
        return appender(path, null);
    }

    /** @param once as in {@link #execute(Operation, RequestId)} */
    public CompletionStage<FileWriter> appender(FsPath path, @Nullable RequestId once) {
        return execute(new BlockOperation.TakeLease(path, false), once)
                .thenApply(leased -> new FileWriter(this, path, leased));
    }

    /**
     * Goes on writing a file in place of a writer of the same user that is lost. That one can then add nothing.
     *
     * @param generation of the lost writer's lease; {@code STALE_GENERATION} if another has taken it since
     * @param once as in {@link #execute(Operation, RequestId)}
     */
    public CompletionStage<FileWriter> successor(FsPath path, long fileId, long generation, @Nullable RequestId once) {
        return execute(new BlockOperation.TakeLease(path, true, fileId, generation), once)
                .thenApply(leased -> new FileWriter(this, path, leased));
    }

    /**
     * Closes a file on behalf of its writer, which can then add nothing; the file keeps everything made durable. An
     * empty file may be open, too: a user who may not write it is refused.
     *
     * @return whether it was open for writing, with content
     */
    public CompletionStage<Boolean> recover(FsPath path) {
        return stat(path).thenCompose(found -> {
            if (found.isDirectory()) {
                throw new FsException(ErrorCode.IS_A_DIRECTORY, "is a directory: \"" + path + "\"");
            }
            boolean mayBeOpen = found.content() == INode.Content.WRITING || found.content() == INode.Content.NONE;
            return mayBeOpen
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

    /** Truncates a file to a length, atomically; fails with {@code BEING_WRITTEN} if it has a writer. */
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
     * Checks the user's access to a file or directory; fails with {@code PERMISSION_DENIED} if not granted.
     *
     * @param wanted the sum of 4 read, 2 write, 1 execute
     */
    public CompletionStage<Boolean> access(FsPath path, int wanted) {
        return execute(() -> new ReadOperation.Access(path, wanted)).thenApply(Reply.Done::changed);
    }

    /** Creates a directory and its missing ancestors; true also if it existed. */
    public CompletionStage<Boolean> mkdirs(FsPath path, int mode) {
        return mkdirs(path, mode, true);
    }

    /** @param createParents whether missing ancestors are created; otherwise the parent must exist */
    public CompletionStage<Boolean> mkdirs(FsPath path, int mode, boolean createParents) {
        return mkdirs(path, mode, mode, createParents);
    }

    /** @param unmasked the mode without the caller's umask, used instead in a directory with a default ACL */
    public CompletionStage<Boolean> mkdirs(FsPath path, int mode, int unmasked, boolean createParents) {
        return execute(() -> new NamespaceOperation.Mkdirs(path, mode, unmasked, createParents))
                .thenApply(Reply.Done::changed);
    }

    /** Creates a file with its content. */
    public CompletionStage<Attributes> create(FsPath path, byte[] content, CreateOptions options) {
        return make(path, content, options).thenApply(Reply.Status::attributes);
    }

    /** Creates an empty file, to be given its content by {@link #complete}. */
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
     * Sets the content of an empty file, wherever it has been moved; fails with {@code NOT_FOUND} if it was deleted or
     * replaced, with {@code NOT_UNDER_CONSTRUCTION} if it already has content.
     *
     * @param path where it was created
     * @param file returned by {@link #begin}
     */
    public CompletionStage<Attributes> complete(FsPath path, OpenFile file, byte[] content) {
        return execute(() -> new FileOperation.Complete(path, file, content)).thenApply(Reply.Status::attributes);
    }

    /** Deletes a file or directory; false if there is none. */
    public CompletionStage<Boolean> delete(FsPath path, boolean recursive) {
        return execute(new NamespaceOperation.Delete(path, recursive)).thenApply(Reply.Done::changed);
    }

    /**
     * Deletes files and empty directories, with one message per owning deployment; in no particular order, so none may
     * be below another.
     *
     * @return the outcome of each in order, a {@link Reply.Done} or a {@link Reply.Failure}. A failed message counts as
     *     the failure of all its paths, some of which may have been deleted
     * @throws IllegalArgumentException if there are none, or more than {@link #MAX_DELETES}
     */
    public CompletionStage<List<Reply>> deleteEach(List<FsPath> paths) {
        if (paths.isEmpty() || paths.size() > MAX_DELETES) {
            throw new IllegalArgumentException("1.." + MAX_DELETES + " paths are removed at once, not " + paths.size());
        }
        return new BulkDeletes(this, calls.bulkIds()).run(paths, cluster.placement());
    }

    /** Renames a file or directory; false where HDFS's legacy rename returns false. */
    public CompletionStage<Boolean> rename(FsPath source, FsPath destination, RenameMode mode) {
        return execute(() -> new NamespaceOperation.Rename(source, destination, mode))
                .thenApply(Reply.Done::changed);
    }

    /** chmod. */
    public CompletionStage<Boolean> setPermission(FsPath path, int mode) {
        return execute(() -> new AttributeOperation.SetPermission(path, mode)).thenApply(Reply.Done::changed);
    }

    /** chown and chgrp; null keeps the current value. */
    public CompletionStage<Boolean> setOwner(FsPath path, @Nullable String owner, @Nullable String group) {
        return execute(new AttributeOperation.SetOwner(path, owner, group)).thenApply(Reply.Done::changed);
    }

    /** Sets times, in milliseconds since 1970; a negative value keeps the current one. */
    public CompletionStage<Boolean> setTimes(FsPath path, long mtime, long atime) {
        return execute(new AttributeOperation.SetTimes(path, mtime, atime)).thenApply(Reply.Done::changed);
    }

    /** Sets a file's replication; false if there is no such file. */
    public CompletionStage<Boolean> setReplication(FsPath path, int replication) {
        return execute(() -> new AttributeOperation.SetReplication(path, replication))
                .thenApply(Reply.Done::changed);
    }

    /**
     * Returns the extended attributes visible to the caller, by name.
     *
     * @param withValues whether to include values, which requires read permission
     */
    public CompletionStage<SortedMap<String, byte[]>> xattrs(FsPath path, boolean withValues) {
        return execute(new ReadOperation.GetXattrs(path, withValues)).thenApply(Reply.Xattrs::values);
    }

    /**
     * Returns those of the named attributes that exist, with their values. A directory's totals are among them: {@code
     * user.lambdafs.dir.files} and the like, which are never listed.
     */
    public CompletionStage<Map<String, byte[]>> xattrs(FsPath path, Collection<String> names) {
        CompletionStage<Map<String, byte[]>> totals = names.stream().anyMatch(TotalsAttributes::has)
                ? usage(path).thenApply(TotalsAttributes::of)
                : CompletableFuture.completedFuture(Map.of());
        boolean onlyTotals = !names.isEmpty() && names.stream().allMatch(TotalsAttributes::has);
        CompletionStage<? extends Map<String, byte[]>> stored =
                onlyTotals ? CompletableFuture.completedFuture(Map.of()) : xattrs(path, true);
        return totals.thenCombine(stored, (some, others) -> {
            Map<String, byte[]> found = new HashMap<>(some);
            found.putAll(others);
            found.keySet().retainAll(names);
            return found;
        });
    }

    /** Sets an extended attribute; see {@link AttributeOperation.SetXattr}. */
    public CompletionStage<Boolean> setXattr(FsPath path, String name, byte[] value, boolean create, boolean replace) {
        return execute(() -> new AttributeOperation.SetXattr(path, name, value, create, replace))
                .thenApply(Reply.Done::changed);
    }

    /** Removes an extended attribute; fails with {@code NO_XATTR} if there is none. */
    public CompletionStage<Boolean> removeXattr(FsPath path, String name) {
        return execute(new AttributeOperation.RemoveXattr(path, name)).thenApply(Reply.Done::changed);
    }

    /** Returns owner, group, mode and ACL of a file or directory. */
    public CompletionStage<Reply.AclStatus> acl(FsPath path) {
        return execute(new ReadOperation.GetAcl(path));
    }

    /**
     * Changes an ACL; see {@link AttributeOperation.ChangeAcl}. Fails with {@code INVALID_ACL} if the result would be
     * invalid.
     */
    public CompletionStage<Boolean> changeAcl(FsPath path, AclChange change, List<AclEntry> entries) {
        return execute(new AttributeOperation.ChangeAcl(path, change, entries)).thenApply(Reply.Done::changed);
    }

    /**
     * Returns the storage policy that applies to a file or directory, and the block stores that policies can choose.
     */
    public CompletionStage<Reply.StoragePolicy> storagePolicy(FsPath path) {
        return execute(new ReadOperation.GetStoragePolicy(path));
    }

    /**
     * Returns what a directory holds with everything below it, or a file alone, at one moment and by one request.
     * Fails with {@code UNSUPPORTED} while the store keeps no exact totals.
     */
    public CompletionStage<Reply.Totals> totals(FsPath path) {
        return execute(new ReadOperation.GetTotals(path));
    }

    /** Returns the same with the directory's own quota. */
    public CompletionStage<Reply.Totals> usage(FsPath path) {
        return execute(new ReadOperation.GetTotals(path, true));
    }

    /**
     * Returns the differences between two snapshots of a directory, in the order of their paths. An empty name means what is
     * there now. For the directory's owner.
     */
    public CompletionStage<List<Difference>> differences(FsPath path, String from, String to) {
        return differences(path, from, to, "", new ArrayList<>());
    }

    private CompletionStage<List<Difference>> differences(
            FsPath path, String from, String to, String after, List<Difference> found) {
        return execute(new ReadOperation.DiffSnapshots(path, from, to, after)).thenCompose(reply -> {
            found.addAll(reply.all());
            return reply.next().isEmpty()
                    ? CompletableFuture.completedFuture(found)
                    : differences(path, from, to, reply.next(), found);
        });
    }

    /**
     * Sets the limits of a directory, of files and directories and of bytes × replication; see {@link
     * AttributeOperation.SetQuota}. For superusers.
     */
    public CompletionStage<Boolean> setQuota(FsPath path, long names, long space) {
        return execute(() -> new AttributeOperation.SetQuota(path, names, space))
                .thenApply(Reply.Done::changed);
    }

    /**
     * Makes, renames or deletes a snapshot of a directory, or says whether there may be some; see {@link
     * AttributeOperation.ChangeSnapshots}. What one sees is at {@code .snapshot/NAME} in the directory.
     */
    public CompletionStage<Boolean> changeSnapshots(
            FsPath path, AttributeOperation.ChangeSnapshots.Action action, String name, String newName) {
        return execute(() -> new AttributeOperation.ChangeSnapshots(path, action, name, newName))
                .thenApply(Reply.Done::changed);
    }

    /**
     * Returns the ids of the files with a block whose object is missing or damaged, by the last reports of the datanodes.
     * For superusers.
     */
    public CompletionStage<Set<Long>> damaged() {
        return damagedAfter("", new HashSet<>());
    }

    private CompletionStage<Set<Long>> damagedAfter(String last, Set<Long> found) {
        return execute(new ReadOperation.ListDamaged(FsPath.ROOT, last)).thenCompose(reply -> {
            found.addAll(reply.files());
            return reply.next().isEmpty()
                    ? CompletableFuture.completedFuture(found)
                    : damagedAfter(reply.next(), found);
        });
    }

    /**
     * Sets a storage policy; see {@link AttributeOperation.SetStoragePolicy}. Fails with {@code INVALID_ARGUMENT} if
     * there is none of that name.
     */
    public CompletionStage<Boolean> setStoragePolicy(FsPath path, String policy) {
        return execute(() -> new AttributeOperation.SetStoragePolicy(path, policy))
                .thenApply(Reply.Done::changed);
    }

    /** Returns whether the file system is in safe mode, that is, read-only. */
    public CompletionStage<Boolean> safeMode() {
        return execute(new ReadOperation.GetSafeMode(FsPath.ROOT)).thenApply(Reply.Done::changed);
    }

    /** Turns safe mode on or off; for superusers. When this completes, no earlier write is in progress. */
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

    /** Returns the retries of a call on a file that begins now. */
    Patience patience(FsPath path) {
        return new Patience(scheduler(), config.times().deadline().toNanos(), path);
    }

    /** Adds the file's path to the failure of a datanode, which knows only blocks. */
    static FsException named(FsPath path, FsException why) {
        String message = String.valueOf(why.getMessage());
        String quoted = "\"" + path + "\"";
        return message.contains(quoted) ? why : new FsException(why.code(), quoted + ": " + message, why);
    }

    /** Returns the number of operations in flight. */
    public int inFlight() {
        return calls.inFlight();
    }

    /** Rejects new operations and stops retries; the last client of a server closes its connections. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            calls.close();
            cluster.leave(server, credentials);
            runtime.release();
        }
    }
}
