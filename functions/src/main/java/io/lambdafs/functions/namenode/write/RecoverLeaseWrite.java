package io.lambdafs.functions.namenode.write;

import io.lambdafs.functions.cache.Fill;
import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.block.BlockReads;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Outcome;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Change;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.block.WriterLease;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * recoverLease: closes a file with the blocks its writer reported before falling silent (FILES: F13). The writer can
 * add nothing afterwards. Its blocks were counted before they are locked: whoever could have changed them since has
 * renewed the lease.
 */
public final class RecoverLeaseWrite extends BlockWrite {
    private RecoverLeaseWrite(OperationContext context, Call call, BlockOperation.RecoverLease operation, int blocks) {
        super(context, call, new Writer(operation.path(), operation.file(), ANY_GENERATION), blocks, Report.NONE);
    }

    public static CompletionStage<Reply> run(
            OperationContext context, Call call, BlockReads reads, BlockOperation.RecoverLease operation) {
        return reads.count(call, operation.file().id())
                .thenCompose(blocks -> new RecoverLeaseWrite(context, call, operation, blocks).run());
    }

    @Override
    Outcome decideOpen(INode parent, INode found, LockedRows rows) {
        if (found.content() != INode.Content.WRITING) {
            return Outcome.unchanged(Reply.Done.NO)
                    .withMutations(List.of(new Mutation.Delete(Rows.writtenKey(found.id()))));
        }
        Row lease = rows.row(WriterLease.key(found.id()));
        long now = rows.nowMillis();
        if (lease != null && !WriterLease.of(lease).isSilent(now, LeaseWrites.HARD_LIMIT)) {
            return Outcome.unchanged(Reply.Done.NO);
        }
        List<Mutation> mutations = new ArrayList<>();
        INode done = closed(found, rows, found.size(), found.contentId() + 1, mutations);
        return changed(Reply.Done.YES, mutations, new Fill.Entry(path, done, null), Change.Kind.CLOSE);
    }
}
