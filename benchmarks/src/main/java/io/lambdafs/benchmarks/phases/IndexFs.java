package io.lambdafs.benchmarks.phases;

import io.lambdafs.hammer.phases.PhaseTarget;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.store.Guard;
import io.lambdafs.store.GuardedCommit;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.StoreTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A client of IndexFS's design: it resolves paths itself, keeps the directories that it has passed for as long as it has a lease on them, and asks
 * the server that has the last one. A directory's entries are all on one server, found by the directory's number. It does what tree-test asks for:
 * mkdirs, create of an empty file, stat. Directories are neither renamed nor removed, so a lease never holds anything up. Thread-safe.
 */
final class IndexFs implements PhaseTarget {
    /** IndexFS's. */
    static final Duration LEASE = Duration.ofSeconds(1);

    private static final String OWNER = "user";
    private static final String GROUP = "users";
    /** Odd, with bits everywhere: neighbouring numbers go to different servers. */
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private final List<? extends MetadataStore> servers;
    private final LongSupplier nanoTime;
    private final Map<FsPath, Lease> leases = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong(
            INode.FIRST_FREE_ID + ((long) ThreadLocalRandom.current().nextInt(1 << 30) << 32));

    /** That a directory has a number until a moment of the monotonic clock. */
    private record Lease(long directory, long endNanos) {}

    /** @param servers one for each partition, in the same order at all clients */
    IndexFs(List<? extends MetadataStore> servers, LongSupplier nanoTime) {
        this.servers = List.copyOf(servers);
        this.nanoTime = nanoTime;
    }

    @Override
    public boolean call(Operation<?> operation) throws InterruptedException {
        FsPath path = operation.path();
        if (operation instanceof ReadOperation.Stat) {
            return find(directory(path.parent()), path.name()) != null;
        }
        if (operation instanceof FileOperation.Create create && isEmpty(create.content())) {
            INode.Traits traits = new INode.Traits(
                    INode.Kind.FILE,
                    OWNER,
                    GROUP,
                    create.mode(),
                    create.replication(),
                    create.blockSize(),
                    INode.Content.NONE);
            long now = System.currentTimeMillis();
            long parent = directory(path.parent());
            if (!add(new INode(parent, path.name(), numbers.incrementAndGet(), traits, 0, now, now, 0))) {
                throw new FsException(ErrorCode.ALREADY_EXISTS, path + " exists");
            }
            return true;
        }
        if (operation instanceof NamespaceOperation.Mkdirs mkdirs) {
            return mkdirs(path, mkdirs.mode());
        }
        throw new FsException(
                ErrorCode.UNSUPPORTED,
                "IndexFS's clients here do not " + operation.kind().label());
    }

    private static boolean isEmpty(byte @Nullable [] content) {
        return content == null || content.length == 0;
    }

    private boolean mkdirs(FsPath path, int mode) throws InterruptedException {
        boolean made = false;
        for (int depth = 1; depth <= path.depth(); depth++) {
            FsPath each = path.ancestor(depth);
            long parent = directory(each.parent());
            if (find(parent, each.name()) == null) {
                made |= add(INode.directory(
                        parent,
                        each.name(),
                        numbers.incrementAndGet(),
                        OWNER,
                        GROUP,
                        mode,
                        System.currentTimeMillis()));
            }
        }
        // That it exists is what was wanted.
        return made || directory(path) != 0;
    }

    /** The number of a directory; without a lease on it, its server is asked, and that of each directory above without one. */
    private long directory(FsPath path) throws InterruptedException {
        if (path.isRoot()) {
            return INode.ROOT_ID;
        }
        Lease lease = leases.get(path);
        if (lease != null && lease.endNanos() - nanoTime.getAsLong() > 0) {
            return lease.directory();
        }
        long parent = directory(path.parent());
        // From before it was asked: the lease is never longer here than there.
        long end = nanoTime.getAsLong() + LEASE.toNanos();
        INode found = find(parent, path.name());
        if (found == null) {
            throw new FsException(ErrorCode.NOT_FOUND, path + " does not exist");
        }
        if (!found.isDirectory()) {
            throw new FsException(ErrorCode.NOT_A_DIRECTORY, path + " is a file");
        }
        leases.put(path, new Lease(found.id(), end));
        return found.id();
    }

    private @Nullable INode find(long parent, String name) throws InterruptedException {
        List<@Nullable Row> rows = PhaseTarget.await(
                server(parent).begin(0).readAndEnd(List.of(Read.shared(Rows.inodeKey(parent, name))), 0));
        Row row = rows.get(0);
        return row == null ? null : Rows.inode(row);
    }

    /** In one message; false where the name is taken. */
    private boolean add(INode node) throws InterruptedException {
        StoreTransaction transaction = server(node.parentId()).begin(0);
        Optional<List<@Nullable Row>> others = PhaseTarget.await(transaction.commitIf(new GuardedCommit(
                List.of(Read.exclusive(Rows.inodeKey(node.parentId(), node.name()))),
                List.of(new Guard.Absent()),
                List.of(new Mutation.Put(Rows.of(node)), Rows.childrenChanged(node.parentId(), 1, node.mtime())),
                Long.MAX_VALUE)));
        if (others.isPresent()) {
            transaction.abort();
        }
        return others.isEmpty();
    }

    /** The one that has a directory's entries. */
    private MetadataStore server(long directory) {
        return servers.get((int) Math.floorMod((directory * MIX) >>> 32, (long) servers.size()));
    }
}
