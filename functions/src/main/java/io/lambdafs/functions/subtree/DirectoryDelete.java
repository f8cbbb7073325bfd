package io.lambdafs.functions.subtree;

import io.lambdafs.functions.namenode.Access;
import io.lambdafs.functions.namenode.Call;
import io.lambdafs.functions.namenode.LockedRows;
import io.lambdafs.functions.namenode.OperationParts;
import io.lambdafs.functions.namenode.Outcome;
import io.lambdafs.model.DirectoryStats;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.INode;
import io.lambdafs.model.Operation;
import io.lambdafs.model.Reply;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
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
import org.jspecify.annotations.Nullable;

/**
 * rm of a directory: its row goes, or moves into the hidden reclaim directory, from where its subtree is removed in batches. It is
 * invisible at once. HDFS demands read, write and search on every directory that is not empty; for a caller who is no superuser they
 * are looked through under the mark.
 */
final class DirectoryDelete implements Subtree {
    private static final int SCAN_ROWS = 1_000;

    private final OperationParts parts;
    private final Call call;
    private final Operation.Delete operation;
    private final MetadataStore store;
    private final FsPath path;
    private @Nullable INode parent;

    DirectoryDelete(OperationParts parts, Call call, Operation.Delete operation, MetadataStore store) {
        this.parts = parts;
        this.call = call;
        this.operation = operation;
        this.store = store;
        this.path = operation.path();
    }

    @Override
    public String kind() {
        return "delete";
    }

    @Override
    public CompletionStage<List<Mark>> resolve() {
        if (path.isRoot()) {
            throw new FsException(ErrorCode.NOT_ALLOWED, "the root cannot be deleted");
        }
        return parts.resolver().resolve(call, path, path.depth() - 1).thenApply(chain -> {
            parts.access().checkTraverse(call.caller(), chain, path);
            INode directory = chain.directory(path.depth() - 1);
            parent = directory;
            return List.of(new Mark(path, directory));
        });
    }

    private INode parent() {
        INode found = parent;
        if (found == null) {
            throw new IllegalStateException("not resolved");
        }
        return found;
    }

    @Override
    public CompletionStage<Void> inspect(Held held) {
        INode root = SubtreeTable.require(held, path);
        if (!operation.recursive() || parts.access().isSuperuser(call.caller())) {
            return CompletableFuture.completedFuture(null);
        }
        Deque<INode> pending = new ArrayDeque<>();
        pending.add(root);
        return inspectNext(pending);
    }

    private CompletionStage<Void> inspectNext(Deque<INode> pending) {
        INode next = pending.poll();
        return next == null
                ? CompletableFuture.completedFuture(null)
                : inspectPage(next, null, pending).thenCompose(done -> inspectNext(pending));
    }

    private CompletionStage<Void> inspectPage(INode directory, @Nullable String after, Deque<INode> pending) {
        StoreTransaction page = store.begin(0, directory.id());
        return page.scan(new Scan(Schema.INODES, directory.id(), after, SCAN_ROWS))
                .whenComplete((rows, error) -> page.abort())
                .thenCompose(rows -> {
                    if (!rows.isEmpty()) {
                        parts.access().check(call.caller(), directory, Access.ALL, path);
                    }
                    rows.stream().map(Rows::inode).filter(INode::isDirectory).forEach(pending::add);
                    return rows.size() < SCAN_ROWS
                            ? CompletableFuture.completedFuture(null)
                            : inspectPage(
                                    directory, rows.get(rows.size() - 1).key().string(1), pending);
                });
    }

    @Override
    public List<Read> locks(Held held) {
        INode root = SubtreeTable.require(held, path);
        return List.of(
                Read.shared(Rows.inodeKey(parent().parentId(), parent().name())),
                Read.shared(Rows.listingKey(parent().id())),
                Read.exclusive(Rows.inodeKey(root.parentId(), root.name())),
                Read.unlocked(Rows.statsKey(root.id())));
    }

    @Override
    public Outcome decide(Held held, LockedRows rows) {
        INode directory = rows.sameDirectory(parent(), path.parent());
        INode root = SubtreeTable.require(held, path);
        DirectoryStats stats = Rows.stats(rows.row(Rows.statsKey(root.id())));
        parts.access().check(call.caller(), directory, Access.WRITE, path.parent());
        parts.access().checkSticky(call.caller(), directory, root, path);
        if (stats.children() > 0 && !operation.recursive()) {
            throw new FsException(ErrorCode.NOT_EMPTY, "directory is not empty: \"" + path + "\"");
        }
        List<Mutation> mutations = new ArrayList<>();
        mutations.add(new Mutation.Delete(Rows.inodeKey(root.parentId(), root.name())));
        mutations.add(new Mutation.Delete(Rows.locationKey(root.id())));
        if (stats.children() > 0) {
            mutations.add(new Mutation.Put(Rows.detached(root)));
        } else {
            mutations.add(new Mutation.Delete(Rows.statsKey(root.id())));
        }
        mutations.add(Rows.childrenChanged(directory.id(), -1, parts.scheduler().currentTimeMillis()));
        return new Outcome(Reply.Done.YES, mutations, List.of(path), List.of(path.parent()), List.of(), List.of());
    }
}
