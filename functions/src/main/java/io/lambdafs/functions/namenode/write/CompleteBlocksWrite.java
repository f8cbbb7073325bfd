package io.lambdafs.functions.namenode.write;

import io.lambdafs.functions.cache.Fill;
import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Outcome;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Change;
import io.lambdafs.store.Mutation;
import java.util.ArrayList;
import java.util.List;

/**
 * completeBlocks: closes a file in blocks. It then consists of the blocks its writer reported, whatever else was
 * allocated. If its content was inline and nothing was appended, it is inline again.
 */
public final class CompleteBlocksWrite extends BlockWrite {
    private final BlockOperation.CompleteBlocks operation;

    public CompleteBlocksWrite(OperationContext context, Call call, BlockOperation.CompleteBlocks operation) {
        super(
                context,
                call,
                new Writer(operation.path(), operation.file(), operation.generation()),
                operation.blocks(),
                new Report(operation.last(), operation.receipt()));
        this.operation = operation;
    }

    @Override
    Outcome decideOpen(INode parent, INode found, LockedRows rows) {
        checkGeneration(found);
        List<Mutation> mutations = new ArrayList<>();
        long size = longer(found.size(), commitPrevious(found, rows, operation.generation(), mutations), path);
        INode done = closed(found, rows, size, operation.generation(), mutations);
        return changed(
                new Reply.Status(Attributes.of(done, DirectoryStats.EMPTY)),
                mutations,
                new Fill.Entry(path, done, null),
                Change.Kind.CLOSE);
    }
}
