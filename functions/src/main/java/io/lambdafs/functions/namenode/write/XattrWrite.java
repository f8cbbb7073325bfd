package io.lambdafs.functions.namenode.write;

import io.lambdafs.functions.cache.Fill;
import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.Xattrs;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Outcome;
import io.lambdafs.functions.namenode.transaction.Restart;
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

/** setXattr and removeXattr of a file, whose id is looked up first, because it is the key of the attributes' row. */
public final class XattrWrite extends FileWrite {
    private final AttributeOperation operation;
    private long fileId;

    public XattrWrite(OperationContext context, Call call, AttributeOperation operation) {
        super(context, call, operation.path());
        this.operation = operation;
    }

    @Override
    public CompletionStage<Reply> run() {
        return context.resolver().resolve(call, path, path.depth()).thenCompose(chain -> {
            fileId = chain.reaches(path.depth()) ? chain.last().id() : 0;
            return super.run();
        });
    }

    @Override
    List<Read> moreLocks() {
        return Xattrs.locks(fileId);
    }

    @Override
    boolean isForSubtrees() {
        return true;
    }

    @Override
    Outcome decide(INode parent, INode file, LockedRows rows) {
        if (file.id() != fileId) {
            throw Restart.changed("\"" + path + "\"");
        }
        Xattrs.checkChange(context.access(), call.caller(), operation, file);
        List<Mutation> mutations = new ArrayList<>();
        INode after = Xattrs.change(operation, file, rows, mutations);
        mutations.add(new Mutation.Put(Rows.of(after)));
        return changed(Reply.Done.YES, mutations, new Fill.Entry(path, after, null), Change.Kind.ATTRIBUTES);
    }
}
