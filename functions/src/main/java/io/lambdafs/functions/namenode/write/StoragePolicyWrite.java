package io.lambdafs.functions.namenode.write;

import io.lambdafs.functions.namenode.Access;
import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.StoragePolicies;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Read;
import io.lambdafs.store.format.FormatLevel;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Sets the storage policy of a file. Existing blocks stay where they are. */
public final class StoragePolicyWrite extends FileWrites.AttributeWrite {
    private final AttributeOperation.SetStoragePolicy operation;

    public StoragePolicyWrite(OperationContext context, Call call, AttributeOperation.SetStoragePolicy operation) {
        super(context, call, operation);
        this.operation = operation;
    }

    /** Continues with the operation with its policy name normalised, or refuses if there is no such policy. */
    public static CompletionStage<Reply> named(
            OperationContext context,
            Call call,
            AttributeOperation.SetStoragePolicy operation,
            Function<AttributeOperation.SetStoragePolicy, CompletionStage<Reply>> then) {
        if (operation.policy().isEmpty() || StoragePolicies.STANDARD.contains(operation.policy())) {
            return then.apply(operation);
        }
        return context.places().namedStores().thenCompose(stores -> {
            AttributeOperation.SetStoragePolicy known;
            try {
                known = new AttributeOperation.SetStoragePolicy(
                        operation.path(), StoragePolicies.known(operation.policy(), stores));
            } catch (FsException unknown) {
                return context.writes().refuse(call, unknown);
            }
            return then.apply(known);
        });
    }

    /** Returns the INode with its policy changed, or refuses; requires a lock on {@link FormatLevel#KEY}. */
    public static INode change(
            OperationContext context,
            Call call,
            AttributeOperation.SetStoragePolicy operation,
            INode node,
            LockedRows rows) {
        FormatLevel.POLICIES.check(
                rows.row(FormatLevel.KEY), "\"" + operation.path() + "\" can have no storage policy");
        return change(context, call, operation, node);
    }

    /** Returns the INode with its policy changed, regardless of the store's format level. */
    public static INode change(
            OperationContext context, Call call, AttributeOperation.SetStoragePolicy operation, INode node) {
        context.access().check(call.caller(), node, Access.WRITE, operation.path());
        if (node.isFile() && operation.policy().equals(StoragePolicies.LAZY_PERSIST)) {
            throw FsException.invalidArgument(
                    "Policy " + operation.policy() + " cannot be set after file creation: set it on the directory");
        }
        return node.withStoragePolicy(operation.policy());
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
