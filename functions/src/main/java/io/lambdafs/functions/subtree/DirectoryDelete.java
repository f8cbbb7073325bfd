package io.lambdafs.functions.subtree;

import io.lambdafs.functions.cache.CacheChange;
import io.lambdafs.functions.namenode.Access;
import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.block.SmallFiles;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.Chain;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Outcome;
import io.lambdafs.functions.namenode.transaction.TotalsDeltas;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Change;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Rows;
import io.lambdafs.store.snapshot.SnapshotNumber;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * delete of a directory: its row is removed, or moved into the hidden reclaim directory, from where its subtree is
 * removed in batches. It is invisible at once. Unless the caller is a superuser, permissions below it are checked under
 * the mark.
 */
final class DirectoryDelete implements Subtree {
    private final OperationContext context;
    private final Call call;
    private final NamespaceOperation.Delete operation;
    private final MetadataStore store;
    private final FsPath path;
    private @Nullable INode parent;
    private List<Chain> chains = List.of();
    private boolean haveBeenSnapshots;

    DirectoryDelete(OperationContext context, Call call, NamespaceOperation.Delete operation, MetadataStore store) {
        this.context = context;
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
            return refuseRoot();
        }
        return context.resolver().resolve(call, path, path.depth() - 1).thenApply(chain -> {
            INode directory = chain.directory(path.depth() - 1);
            parent = directory;
            chains = List.of(chain);
            return List.of(new Mark(path, directory));
        });
    }

    /** Refuses to delete the root, with the same checks as for any directory. */
    private CompletionStage<List<Mark>> refuseRoot() {
        return context.resolver().resolve(call, path, 0).thenCompose(chain -> {
            INode root = chain.last();
            return checkBelow(root)
                    .thenCompose(done ->
                            call.begin(store).readAndEnd(List.of(Read.unlocked(Rows.statsKey(root.id()))), 0))
                    .thenApply(rows -> {
                        if (Rows.stats(rows.get(0)).children() > 0) {
                            checkRecursive();
                        }
                        throw new FsException(ErrorCode.NOT_ALLOWED, "the root cannot be deleted");
                    });
        });
    }

    private void checkRecursive() {
        if (!operation.recursive()) {
            throw notEmpty();
        }
    }

    private FsException notEmpty() {
        return new FsException(ErrorCode.NOT_EMPTY, "directory is not empty: \"" + path + "\"");
    }

    private INode parent() {
        INode found = parent;
        if (found == null) {
            throw new IllegalStateException("not resolved");
        }
        return found;
    }

    @Override
    public @Nullable Reply refusal(List<Mark> marks, LockedRows rows) {
        INode found = marks.get(0).directory(rows);
        haveBeenSnapshots = rows.row(SnapshotNumber.SEQUENCE) != null;
        checkRights(rows.sameDirectory(parent(), path.parent()), found);
        return found == null ? Reply.Done.NO : null;
    }

    private void checkRights(INode directory, @Nullable INode found) {
        context.access().check(call.caller(), directory, Access.WRITE, path.parent());
        if (found != null) {
            context.access().checkSticky(call.caller(), directory, found, path);
        }
    }

    @Override
    public CompletionStage<Void> inspect(Held held) {
        INode root = SubtreeTable.require(held, path);
        return haveBeenSnapshots
                ? context.snapshotted().checkMovable(call.epoch(), path).thenCompose(done -> checkBelow(root))
                : checkBelow(root);
    }

    private CompletionStage<Void> checkBelow(INode root) {
        if (context.access().isSuperuser(call.caller())) {
            return CompletableFuture.completedFuture(null);
        }
        int limit = DeleteRights.MAX_DIRECTORIES;
        FsException tooMany = operation.recursive()
                ? new FsException(
                        ErrorCode.NOT_ALLOWED,
                        "\"" + path + "\" holds more than " + limit
                                + " directories, too many to check the rights to each: delete those below it first,"
                                + " or have a superuser delete it")
                : notEmpty();
        return new DeleteRights(store, context.access(), call.caller(), path, limit, tooMany).check(root);
    }

    @Override
    public List<Chain> chains() {
        return chains;
    }

    @Override
    public List<Read> locks(Held held) {
        INode root = SubtreeTable.require(held, path);
        List<Read> locks = new ArrayList<>();
        locks.add(Read.shared(Rows.inodeKey(parent().parentId(), parent().name())));
        locks.add(Read.shared(Rows.listingKey(parent().id())));
        locks.add(Read.exclusive(Rows.inodeKey(root.parentId(), root.name())));
        locks.add(Read.unlocked(Rows.statsKey(root.id())));
        locks.addAll(TotalsDeltas.locks(root));
        return locks;
    }

    @Override
    public Outcome decide(Held held, LockedRows rows) {
        INode directory = rows.sameDirectory(parent(), path.parent());
        INode root = SubtreeTable.require(held, path);
        DirectoryStats stats = Rows.stats(rows.row(Rows.statsKey(root.id())));
        checkRights(directory, root);
        if (stats.children() > 0) {
            checkRecursive();
        }
        List<Mutation> mutations = new ArrayList<>();
        mutations.add(new Mutation.Delete(Rows.inodeKey(root.parentId(), root.name())));
        mutations.add(new Mutation.Delete(Rows.locationKey(root.id())));
        if (stats.children() > 0) {
            mutations.add(new Mutation.Put(Rows.detached(root)));
        } else {
            SmallFiles.removeExtras(root, mutations);
            mutations.add(new Mutation.Delete(Rows.statsKey(root.id())));
            mutations.add(new Mutation.Delete(Rows.totalsKey(root.id())));
        }
        mutations.add(Rows.childrenChanged(directory.id(), -1, rows.nowMillis()));
        return new Outcome(
                Reply.Done.YES,
                mutations,
                new CacheChange(Scope.of(path), List.of(), List.of()),
                List.of(Change.Event.of(Change.Kind.DELETE, root, path)));
    }
}
