package io.lambdafs.functions.namenode.write;

import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.Chain;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Outcome;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.AttributeOperation;

/**
 * changeSnapshots, which only a directory has: it is done under its mark (PROTOCOL: V1). As the write of a file, which every change of
 * a directory begins with, it refuses.
 */
public final class SnapshotsWrite extends FileWrite {
    public SnapshotsWrite(OperationContext context, Call call, AttributeOperation.ChangeSnapshots operation) {
        super(context, call, operation.path());
    }

    @Override
    boolean isForSubtrees() {
        return true;
    }

    @Override
    Outcome decide(INode parent, INode file, LockedRows rows) {
        throw Chain.notADirectory(path);
    }
}
