package io.lambdafs.functions.subtree;

import io.lambdafs.functions.namenode.LockedRows;
import io.lambdafs.model.INode;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import java.util.List;

/** The change of one kind of attribute in a directory's rows. */
interface DirectoryAttribute {
    /**
     * Checks that the caller may change it, whatever the store's format level, and returns the INode with what changes in it.
     *
     * @throws io.lambdafs.model.FsException a refusal
     */
    INode allowed(INode node);

    /** Locks beyond the INode's row, its statistics and its parent's listing. */
    default List<Read> locks(INode node) {
        return List.of();
    }

    /** Returns the INode after the change, and adds to the mutations what is stored besides. Under the locks; checks as {@link #allowed} does. */
    default INode change(INode node, LockedRows rows, List<Mutation> mutations) {
        return allowed(node);
    }
}
