package io.lambdafs.functions.subtree;

import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.model.inode.INode;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A change to one kind of attribute of a directory. */
interface DirectoryAttribute {
    /**
     * Checks the caller's permission, regardless of the store's format level, and returns the changed INode.
     *
     * @throws io.lambdafs.model.FsException a refusal
     */
    INode allowed(INode node);

    /** Looks at what else it depends on, under the mark and before the locks; fails with a refusal. */
    default CompletionStage<Void> inspect(INode node) {
        return CompletableFuture.completedFuture(null);
    }

    /** Returns locks needed beyond the INode's row, its statistics and its parent's listing. */
    default List<Read> locks(INode node) {
        return List.of();
    }

    /**
     * Returns the changed INode and adds further changes to the mutations. Called under the locks; checks as {@link
     * #allowed} does.
     */
    default INode change(INode node, LockedRows rows, List<Mutation> mutations) {
        return allowed(node);
    }
}
