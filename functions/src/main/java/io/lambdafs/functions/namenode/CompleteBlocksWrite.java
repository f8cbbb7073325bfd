package io.lambdafs.functions.namenode;

import io.lambdafs.functions.cache.Fill;
import io.lambdafs.model.Attributes;
import io.lambdafs.model.BlockOperation;
import io.lambdafs.model.DirectoryStats;
import io.lambdafs.model.INode;
import io.lambdafs.model.Reply;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Rows;
import io.lambdafs.store.WriterLease;
import java.util.ArrayList;
import java.util.List;

/** completeBlocks: closes a file in blocks. From here on it is what its writer has told, whatever was allocated besides. One
 * that was kept with the metadata, and that nothing was appended to, is kept there again. */
final class CompleteBlocksWrite extends BlockWrite {
    private final BlockOperation.CompleteBlocks operation;

    CompleteBlocksWrite(OperationContext context, Call call, BlockOperation.CompleteBlocks operation) {
        super(context, call, operation.path(), operation.file(), operation.blocks(), operation.last());
        this.operation = operation;
    }

    @Override
    Outcome decideOpen(INode parent, INode found, LockedRows rows) {
        checkGeneration(found, operation.generation());
        List<Mutation> mutations = new ArrayList<>();
        long size = found.size() + commitPrevious(found, rows, operation.generation(), mutations);
        dropAllocated(rows, mutations);
        INode done = operation.blocks() == 0 && size > 0
                ? found.withContent(INode.Content.INLINE, INode.INLINE_CONTENT, size, found.mtime())
                : found.withContent(
                        INode.Content.BLOCKS,
                        found.contentId(),
                        size,
                        context.scheduler().currentTimeMillis());
        mutations.add(new Mutation.Put(Rows.of(done)));
        mutations.add(new Mutation.Delete(WriterLease.key(found.id())));
        mutations.add(new Mutation.Delete(Rows.locationKey(found.id())));
        Reply reply = new Reply.Status(Attributes.of(done, DirectoryStats.EMPTY));
        return changed(reply, mutations, new Fill.Entry(path, done, null));
    }
}
