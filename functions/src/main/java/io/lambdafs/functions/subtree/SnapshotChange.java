package io.lambdafs.functions.subtree;

import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.AttributeOperation.ChangeSnapshots;
import io.lambdafs.model.operation.AttributeOperation.ChangeSnapshots.Action;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.format.FormatLevel;
import io.lambdafs.store.format.TotalsState;
import io.lambdafs.store.snapshot.Kept;
import io.lambdafs.store.snapshot.SnapshotNumber;
import io.lambdafs.store.snapshot.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Makes, removes and renames snapshots of a directory, and says whether there may be some (PROTOCOL: V1). All of it is done under the
 * directory's mark, when no write below is under way that does not know the last snapshot.
 */
final class SnapshotChange implements DirectoryAttribute {
    private final OperationContext context;
    private final Call call;
    private final ChangeSnapshots operation;
    private final FsPath path;
    private boolean isLast;

    SnapshotChange(OperationContext context, Call call, ChangeSnapshots operation) {
        this.context = context;
        this.call = call;
        this.operation = operation;
        this.path = operation.path();
    }

    @Override
    public INode allowed(INode node) {
        check(context, call, operation);
        if (!isOfDirectory()) {
            context.access().checkOwner(call.caller(), node, path);
            if (!node.isSnapshottable()) {
                throw refusal("Directory is not a snapshottable directory: " + path);
            }
        }
        return node;
    }

    /** Refuses callers who may not say which directories have snapshots. */
    static void check(OperationContext context, Call call, ChangeSnapshots operation) {
        boolean ofDirectory = operation.action() == Action.ALLOW || operation.action() == Action.DISALLOW;
        if (ofDirectory && !context.access().isSuperuser(call.caller())) {
            throw new FsException(
                    ErrorCode.PERMISSION_DENIED,
                    "Access denied for user " + call.caller().user() + ". Superuser privilege is required");
        }
    }

    private boolean isOfDirectory() {
        return operation.action() == Action.ALLOW || operation.action() == Action.DISALLOW;
    }

    private static FsException refusal(String why) {
        return new FsException(ErrorCode.SNAPSHOT_REFUSED, why);
    }

    @Override
    public CompletionStage<Void> inspect(INode node) {
        return switch (operation.action()) {
            case ALLOW ->
                node.isSnapshottable()
                        ? CompletableFuture.completedFuture(null)
                        : context.snapshotted().checkNested(call.epoch(), path);
            case DISALLOW -> context.snapshotted().checkNone(call.epoch(), node.id(), path);
            case CREATE -> context.snapshotted().checkRoom(call.epoch(), node.id());
            case DELETE -> context.snapshotted().isLast(call.epoch(), node.id()).thenAccept(last -> isLast = last);
            case RENAME -> CompletableFuture.completedFuture(null);
        };
    }

    @Override
    public List<Read> locks(INode node) {
        List<Read> locks = new ArrayList<>();
        locks.add(Read.shared(FormatLevel.KEY));
        if (!isOfDirectory()) {
            locks.add(Read.exclusive(key(node, operation.name())));
        }
        if (operation.action() == Action.RENAME && !operation.newName().equals(operation.name())) {
            locks.add(Read.exclusive(key(node, operation.newName())));
        }
        if (operation.action() == Action.CREATE) {
            locks.add(Read.shared(TotalsState.KEY));
            // Held until the commit: numbers rise in the order of the commits.
            locks.add(Read.exclusive(SnapshotNumber.SEQUENCE));
        }
        return locks;
    }

    private static Key key(INode node, String name) {
        return Schema.SNAPSHOTS.key(node.id(), name);
    }

    @Override
    public INode change(INode node, LockedRows rows, List<Mutation> mutations) {
        FormatLevel.SNAPSHOTS.check(rows.row(FormatLevel.KEY), "\"" + path + "\" can have no snapshots");
        allowed(node);
        switch (operation.action()) {
            case ALLOW -> mutations.add(new Mutation.Put(new Row(Rows.snapshottableKey(node.id()), rows.nowMillis())));
            case DISALLOW -> mutations.add(new Mutation.Delete(Rows.snapshottableKey(node.id())));
            case CREATE -> {
                return created(node, rows, mutations);
            }
            case DELETE -> {
                return deleted(node, rows, mutations);
            }
            case RENAME -> rename(node, rows, mutations);
        }
        if (operation.action() == Action.ALLOW && !node.isSnapshottable()) {
            return node.withSnapshottable(true).withAlone(node.floor() == 0);
        }
        return operation.action() == Action.DISALLOW ? node.withSnapshottable(false) : node;
    }

    private INode created(INode node, LockedRows rows, List<Mutation> mutations) {
        TotalsState.checkExact(rows.row(TotalsState.KEY));
        if (rows.row(key(node, operation.name())) != null) {
            throw refusal("Failed to add snapshot: there is already a snapshot with the same name \"" + operation.name()
                    + "\".");
        }
        Row sequence = rows.row(SnapshotNumber.SEQUENCE);
        long number = sequence == null ? 1 : sequence.int64(0);
        mutations.add(new Mutation.Put(new Row(SnapshotNumber.SEQUENCE, number + 1)));
        mutations.add(new Mutation.Put(new Row(key(node, operation.name()), number, rows.nowMillis())));
        mutations.add(new Mutation.Put(SnapshotNumber.made(number, node.id())));
        INode top = node.withMark(null).withLocation(node.id(), Version.TOP).withEra(number - 1, node.floor());
        Version version = new Version(top, number);
        mutations.add(new Mutation.Put(version.row()));
        mutations.add(new Mutation.Put(Kept.of(version, 0).row(number)));
        return node.withEra(node.stamp(), number);
    }

    /** Without snapshots, no write below has anything to copy any more; numbers only rise, so what was stamped stays right. */
    private INode deleted(INode node, LockedRows rows, List<Mutation> mutations) {
        Row found = rows.row(key(node, operation.name()));
        if (found == null) {
            throw refusal("Cannot delete snapshot " + operation.name() + " from path " + path
                    + ": the snapshot does not exist.");
        }
        mutations.add(new Mutation.Delete(found.key()));
        mutations.add(SnapshotNumber.deleted(found.int64(0)));
        return isLast && node.isAlone() ? node.withEra(node.stamp(), 0) : node;
    }

    private void rename(INode node, LockedRows rows, List<Mutation> mutations) {
        Row found = rows.row(key(node, operation.name()));
        if (found == null) {
            throw refusal("The snapshot " + operation.name() + " does not exist for directory " + path);
        }
        if (operation.newName().equals(operation.name())) {
            return;
        }
        if (rows.row(key(node, operation.newName())) != null) {
            throw refusal("The snapshot " + operation.newName() + " already exists for directory " + path);
        }
        mutations.add(new Mutation.Delete(found.key()));
        mutations.add(new Mutation.Put(found.at(key(node, operation.newName()))));
    }
}
