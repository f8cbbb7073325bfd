package io.lambdafs.functions.namenode.write;

import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.Chain;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Outcome;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Quota;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.format.FormatLevel;
import io.lambdafs.store.format.TotalsState;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * setQuota, which only a directory has: the limits change under its mark, when all writes below that did not see them
 * have ended (PROTOCOL: Q3). As the write of a file, which every change of a directory begins with, it refuses.
 */
public final class QuotaWrite extends FileWrite {
    private final AttributeOperation.SetQuota operation;

    public QuotaWrite(OperationContext context, Call call, AttributeOperation.SetQuota operation) {
        super(context, call, operation.path());
        this.operation = operation;
    }

    @Override
    public CompletionStage<Reply> run() {
        try {
            check(context, call, operation);
        } catch (FsException refusal) {
            return context.writes().refuse(call, refusal);
        }
        return super.run();
    }

    /** Refuses callers who may set no quota, and the quotas that cannot be. */
    public static void check(OperationContext context, Call call, AttributeOperation.SetQuota operation) {
        if (!context.access().isSuperuser(call.caller())) {
            throw new FsException(
                    ErrorCode.PERMISSION_DENIED,
                    "Access denied for user " + call.caller().user() + ". Superuser privilege is required");
        }
        if (operation.path().isRoot() && operation.names() == Quota.NONE) {
            throw FsException.invalidArgument("Cannot clear namespace quota on root.");
        }
    }

    /** Returns the locks that {@link #change} needs beyond the directory's row. */
    public static List<Read> locks(INode directory) {
        return List.of(
                Read.shared(FormatLevel.KEY),
                Read.shared(TotalsState.KEY),
                Read.unlocked(Rows.totalsKey(directory.id())));
    }

    /** Returns the directory with its quota changed. */
    public static INode change(
            AttributeOperation.SetQuota operation, INode directory, LockedRows rows, List<Mutation> mutations) {
        FormatLevel.QUOTAS.check(rows.row(FormatLevel.KEY), "\"" + operation.path() + "\" can have no quota");
        TotalsState.checkExact(rows.row(TotalsState.KEY));
        Row totals = rows.row(Rows.totalsKey(directory.id()));
        Quota before = Rows.quota(totals);
        Quota after = before.changed(operation.names(), operation.space());
        if (!after.equals(before)) {
            mutations.add(Rows.quotaChanged(directory.id(), before, after));
        }
        return directory.withQuota(!after.equals(Quota.UNLIMITED));
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
