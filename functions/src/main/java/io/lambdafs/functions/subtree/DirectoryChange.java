package io.lambdafs.functions.subtree;

import io.lambdafs.functions.cache.CacheChange;
import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.Chain;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Outcome;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Change;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Changes an attribute of a directory: mode, owner, times, extended attributes, ACL or storage policy. One row changes,
 * but every instance may have resolved through it, and a write permitted under the old mode must not take effect after
 * the new one.
 */
final class DirectoryChange implements Subtree {
    private final OperationContext context;
    private final Call call;
    private final DirectoryAttribute attribute;
    private final FsPath path;
    private @Nullable Chain resolved;
    private List<Chain> chains = List.of();

    DirectoryChange(OperationContext context, Call call, AttributeOperation operation) {
        this.context = context;
        this.call = call;
        this.attribute = operation.accept(new DirectoryAttributes(context, call));
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
            resolved = chain;
            return List.of(new Mark(path, chain.directory(depth)));
        });
    }

    @Override
    public @Nullable Reply refusal(List<Mark> marks, LockedRows rows) {
        INode found = marks.get(0).directory(rows);
        if (found == null) {
            throw Chain.notFound(path);
        }
        attribute.allowed(found);
        return null;
    }

    @Override
    public CompletionStage<Void> inspect(Held held) {
        return attribute.inspect(SubtreeTable.require(held, path));
    }

    @Override
    public List<Chain> chains() {
        return chains;
    }

    @Override
    public List<Read> locks(Held held) {
        INode node = SubtreeTable.require(held, path);
        Chain parents = resolved;
        if (parents != null) {
            chains = List.of(path.isRoot() ? parents : parents.with(node));
        }
        List<Read> reads = new ArrayList<>();
        reads.add(Read.exclusive(Rows.inodeKey(node.parentId(), node.name())));
        reads.add(Read.unlocked(Rows.statsKey(node.id())));
        if (!path.isRoot()) {
            reads.add(Read.shared(Rows.listingKey(node.parentId())));
        }
        reads.addAll(attribute.locks(node));
        return reads;
    }

    @Override
    public Outcome decide(Held held, LockedRows rows) {
        INode node = SubtreeTable.require(held, path);
        List<Mutation> mutations = new ArrayList<>();
        INode after = attribute.change(node, rows, mutations);
        mutations.add(new Mutation.Put(Rows.of(after.withMark(null))));
        return new Outcome(
                Reply.Done.YES,
                mutations,
                new CacheChange(Scope.of(path), List.of(), List.of()),
                List.of(Change.Event.of(Change.Kind.ATTRIBUTES, node, path)));
    }
}
