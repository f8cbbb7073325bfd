package io.lambdafs.functions.namenode.write;

import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.model.inode.AclRules;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.store.Read;
import io.lambdafs.store.format.FormatLevel;
import java.util.List;

/** Changes the ACL of a file. */
public final class AclWrite extends FileWrites.AttributeWrite {
    private final AttributeOperation.ChangeAcl operation;

    public AclWrite(OperationContext context, Call call, AttributeOperation.ChangeAcl operation) {
        super(context, call, operation);
        this.operation = operation;
    }

    /** Returns the INode with its ACL changed, or refuses; requires a lock on {@link FormatLevel#KEY}. */
    public static INode change(
            OperationContext context, Call call, AttributeOperation.ChangeAcl operation, INode node, LockedRows rows) {
        FormatLevel.ACLS.check(rows.row(FormatLevel.KEY), "\"" + operation.path() + "\" can have no ACL");
        return change(context, call, operation, node);
    }

    /** Returns the INode with its ACL changed, regardless of the store's format level. */
    public static INode change(
            OperationContext context, Call call, AttributeOperation.ChangeAcl operation, INode node) {
        context.access().checkOwner(call.caller(), node, operation.path());
        return AclRules.change(node, operation.path(), operation.change(), operation.entries());
    }

    @Override
    List<Read> moreLocks() {
        return List.of(Read.shared(FormatLevel.KEY));
    }

    @Override
    INode change(INode file, LockedRows rows) {
        return change(context, call, operation, file, rows);
    }
}
