package io.lambdafs.functions.namenode;

import io.lambdafs.functions.cache.Fill;
import io.lambdafs.model.AclRules;
import io.lambdafs.model.AttributeOperation;
import io.lambdafs.model.INode;
import io.lambdafs.model.Reply;
import io.lambdafs.store.Change;
import io.lambdafs.store.FormatLevel;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Rows;
import java.util.List;

/** Changes the ACL of a file. */
public final class AclWrite extends FileWrite {
    private final AttributeOperation.ChangeAcl operation;

    public AclWrite(OperationContext context, Call call, AttributeOperation.ChangeAcl operation) {
        super(context, call, operation.path());
        this.operation = operation;
    }

    /** Returns an INode with its ACL changed, or refuses; {@link FormatLevel#KEY} is locked. */
    public static INode change(
            OperationContext context, Call call, AttributeOperation.ChangeAcl operation, INode node, LockedRows rows) {
        FormatLevel.ACLS.check(rows.row(FormatLevel.KEY), "\"" + operation.path() + "\" can have no ACL");
        return change(context, call, operation, node);
    }

    /** The same whatever the store's format level. */
    public static INode change(
            OperationContext context, Call call, AttributeOperation.ChangeAcl operation, INode node) {
        context.access().checkOwner(call.caller(), node, operation.path());
        return AclRules.change(node, operation);
    }

    @Override
    List<Read> moreLocks() {
        return List.of(Read.shared(FormatLevel.KEY));
    }

    @Override
    boolean isForSubtrees() {
        return true;
    }

    @Override
    Outcome decide(INode parent, INode file, LockedRows rows) {
        INode after = change(context, call, operation, file, rows);
        return changed(
                Reply.Done.YES,
                List.of(new Mutation.Put(Rows.of(after))),
                new Fill.Entry(path, after, null),
                Change.Kind.ATTRIBUTES);
    }
}
