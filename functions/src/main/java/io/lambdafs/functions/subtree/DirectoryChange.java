package io.lambdafs.functions.subtree;

import io.lambdafs.functions.cache.CacheChange;
import io.lambdafs.functions.namenode.Access;
import io.lambdafs.functions.namenode.AclWrite;
import io.lambdafs.functions.namenode.Call;
import io.lambdafs.functions.namenode.Chain;
import io.lambdafs.functions.namenode.LockedRows;
import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.Outcome;
import io.lambdafs.functions.namenode.StoragePolicyWrite;
import io.lambdafs.functions.namenode.Xattrs;
import io.lambdafs.model.AttributeOperation;
import io.lambdafs.model.DirectoryStats;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.INode;
import io.lambdafs.model.Operation;
import io.lambdafs.model.Reply;
import io.lambdafs.model.Scope;
import io.lambdafs.store.Change;
import io.lambdafs.store.FormatLevel;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * chmod, chown, utimes, or a change of extended attributes, of the ACL or of the storage policy of a directory: one row changes, but every instance may have resolved through it, and a write that was allowed
 * under the old mode must not surface after the new one.
 */
final class DirectoryChange implements Subtree {
    private final OperationContext context;
    private final Call call;
    private final Operation<?> operation;
    private final FsPath path;

    DirectoryChange(OperationContext context, Call call, Operation<?> operation) {
        this.context = context;
        this.call = call;
        this.operation = operation;
        this.path = operation.path();
    }

    @Override
    public String kind() {
        return "change";
    }

    @Override
    public CompletionStage<List<Mark>> resolve() {
        int depth = Math.max(0, path.depth() - 1);
        return context.resolver().resolve(call, path, depth).thenApply(chain -> {
            context.access().checkTraverse(call.caller(), chain, path);
            return List.of(new Mark(path, chain.directory(depth)));
        });
    }

    @Override
    public @Nullable Reply refusal(List<Mark> marks, LockedRows rows) {
        INode found = marks.get(0).directory(rows);
        if (found == null) {
            throw Chain.notFound(path);
        }
        change(found);
        return null;
    }

    @Override
    public CompletionStage<Void> inspect(Held held) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public List<Read> locks(Held held) {
        INode node = SubtreeTable.require(held, path);
        List<Read> reads = new ArrayList<>();
        reads.add(Read.exclusive(Rows.inodeKey(node.parentId(), node.name())));
        reads.add(Read.unlocked(Rows.statsKey(node.id())));
        if (!path.isRoot()) {
            reads.add(Read.shared(Rows.listingKey(node.parentId())));
        }
        if (isXattr()) {
            reads.addAll(Xattrs.locks(node.id()));
        }
        if (operation instanceof AttributeOperation.ChangeAcl
                || operation instanceof AttributeOperation.SetStoragePolicy) {
            reads.add(Read.shared(FormatLevel.KEY));
        }
        return reads;
    }

    private boolean isXattr() {
        return operation instanceof AttributeOperation.SetXattr || operation instanceof AttributeOperation.RemoveXattr;
    }

    @Override
    public Outcome decide(Held held, LockedRows rows) {
        INode node = SubtreeTable.require(held, path);
        List<Mutation> mutations = new ArrayList<>();
        INode after = change(node);
        if (isXattr()) {
            after = Xattrs.change((AttributeOperation) operation, node, rows, mutations);
        }
        if (operation instanceof AttributeOperation.ChangeAcl acl) {
            after = AclWrite.change(context, call, acl, node, rows);
        }
        if (operation instanceof AttributeOperation.SetStoragePolicy policy) {
            after = StoragePolicyWrite.change(context, call, policy, node, rows);
        }
        if (operation instanceof AttributeOperation.SetTimes times && times.mtime() >= 0) {
            // Those who change the children hold this row shared, so that the count stands still here.
            DirectoryStats stats = Rows.stats(rows.row(Rows.statsKey(node.id())));
            mutations.add(new Mutation.Put(Rows.stats(node.id(), new DirectoryStats(stats.children(), times.mtime()))));
        }
        mutations.add(new Mutation.Put(Rows.of(after.withMark(null))));
        return new Outcome(
                Reply.Done.YES,
                mutations,
                new CacheChange(Scope.of(path), List.of(), List.of()),
                List.of(Change.Event.of(Change.Kind.ATTRIBUTES, node, path)));
    }

    private INode change(INode node) {
        if (operation instanceof AttributeOperation.SetPermission chmod) {
            context.access().checkOwner(call.caller(), node, path);
            return node.withMode(chmod.mode());
        }
        if (operation instanceof AttributeOperation.SetOwner chown) {
            return context.access().changeOwner(call.caller(), chown, node);
        }
        if (operation instanceof AttributeOperation.SetTimes times) {
            context.access().check(call.caller(), node, Access.WRITE, path);
            return node.withTimes(node.mtime(), times.atime() < 0 ? node.atime() : times.atime());
        }
        if (operation instanceof AttributeOperation.ChangeAcl acl) {
            return AclWrite.change(context, call, acl, node);
        }
        if (operation instanceof AttributeOperation.SetStoragePolicy policy) {
            return StoragePolicyWrite.change(context, call, policy, node);
        }
        if (isXattr()) {
            Xattrs.checkChange(context.access(), call.caller(), operation, node);
            return node;
        }
        throw new IllegalArgumentException("no change of a directory: " + operation);
    }
}
