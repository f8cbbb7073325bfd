package io.lambdafs.functions.namenode.write;

import io.lambdafs.functions.cache.CacheChange;
import io.lambdafs.functions.cache.Child;
import io.lambdafs.functions.cache.Fill;
import io.lambdafs.functions.namenode.Access;
import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.block.SmallFiles;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.Chain;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Outcome;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Scope;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.SeenFile;
import io.lambdafs.store.Change;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Writes that change one file in place: delete, chmod, chown, times, replication; {@link AttributeWrite} is also the
 * base class of others.
 */
public final class FileWrites {
    private FileWrites() {}

    /** delete of a file; {@code Done(false)} if there is none. */
    public static final class Delete extends FileWrite {
        private final @Nullable SeenFile seen;

        public Delete(OperationContext context, Call call, NamespaceOperation.Delete operation) {
            super(context, call, operation.path());
            this.seen = operation.seen();
        }

        @Override
        CompletionStage<Reply> missing(FsException refusal) {
            return context.writes().answer(call, Reply.Done.NO);
        }

        @Override
        Outcome absent(INode parent) {
            context.access().check(call.caller(), parent, Access.WRITE, path.parent());
            return Outcome.unchanged(Reply.Done.NO);
        }

        @Override
        boolean isForSubtrees() {
            return seen == null;
        }

        @Override
        Outcome decideDirectory(INode parent, INode directory) {
            if (seen != null) {
                throw Chain.isADirectory(path);
            }
            return super.decideDirectory(parent, directory);
        }

        @Override
        Outcome decide(INode parent, INode file, LockedRows rows) {
            context.access().check(call.caller(), parent, Access.WRITE, path.parent());
            context.access().checkSticky(call.caller(), parent, file, path);
            if (seen != null) {
                seen.check(file, path);
            }
            List<Mutation> mutations = new ArrayList<>();
            mutations.add(new Mutation.Delete(Rows.inodeKey(file.parentId(), file.name())));
            mutations.add(Rows.childrenChanged(parent.id(), -1, rows.nowMillis()));
            SmallFiles.remove(file, mutations);
            return new Outcome(
                    Reply.Done.YES,
                    mutations,
                    new CacheChange(Scope.of(path), List.of(), List.of(new Child(path, null))),
                    List.of(Change.Event.of(Change.Kind.DELETE, file, path)));
        }
    }

    /** Base class of writes that replace the file's row by a changed one. */
    abstract static class AttributeWrite extends FileWrite {
        AttributeWrite(OperationContext context, Call call, Operation<?> operation) {
            super(context, call, operation.path());
        }

        /** Returns the INode after the change, or refuses; {@link #moreLocks} are held. */
        abstract INode change(INode node, LockedRows rows);

        @Override
        boolean isForSubtrees() {
            return true;
        }

        @Override
        Outcome decide(INode parent, INode file, LockedRows rows) {
            INode after = change(file, rows);
            return changed(
                    Reply.Done.YES,
                    List.of(new Mutation.Put(Rows.of(after))),
                    new Fill.Entry(path, after, null),
                    Change.Kind.ATTRIBUTES);
        }
    }

    /** chmod of a file. */
    public static final class SetPermission extends AttributeWrite {
        private final AttributeOperation.SetPermission operation;

        public SetPermission(OperationContext context, Call call, AttributeOperation.SetPermission operation) {
            super(context, call, operation);
            this.operation = operation;
        }

        @Override
        INode change(INode file, LockedRows rows) {
            context.access().checkOwner(call.caller(), file, path);
            return file.withMode(operation.mode());
        }
    }

    /** chown and chgrp of a file. */
    public static final class SetOwner extends AttributeWrite {
        private final AttributeOperation.SetOwner operation;

        public SetOwner(OperationContext context, Call call, AttributeOperation.SetOwner operation) {
            super(context, call, operation);
            this.operation = operation;
        }

        @Override
        INode change(INode file, LockedRows rows) {
            return context.access().changeOwner(call.caller(), operation, file);
        }
    }

    /** utimes of a file. */
    public static final class SetTimes extends AttributeWrite {
        private final AttributeOperation.SetTimes operation;

        public SetTimes(OperationContext context, Call call, AttributeOperation.SetTimes operation) {
            super(context, call, operation);
            this.operation = operation;
        }

        @Override
        INode change(INode file, LockedRows rows) {
            context.access().check(call.caller(), file, Access.WRITE, path);
            return file.withTimes(
                    operation.mtime() < 0 ? file.mtime() : operation.mtime(),
                    operation.atime() < 0 ? file.atime() : operation.atime());
        }
    }

    /** setReplication of a file; {@code Done(false)} if there is none. */
    public static final class SetReplication extends AttributeWrite {
        private final AttributeOperation.SetReplication operation;

        public SetReplication(OperationContext context, Call call, AttributeOperation.SetReplication operation) {
            super(context, call, operation);
            this.operation = operation;
        }

        @Override
        public CompletionStage<Reply> run() {
            return path.isRoot() ? context.resolver().resolve(call, path, 0).thenCompose(this::ofRoot) : super.run();
        }

        private CompletionStage<Reply> ofRoot(Chain chain) {
            try {
                context.access().check(call.caller(), chain.last(), Access.WRITE, path);
            } catch (FsException refusal) {
                return context.writes().refuse(call, refusal);
            }
            return context.writes().answer(call, Reply.Done.NO);
        }

        @Override
        CompletionStage<Reply> missing(FsException refusal) {
            return context.writes().answer(call, Reply.Done.NO);
        }

        @Override
        Outcome absent(INode parent) {
            return Outcome.unchanged(Reply.Done.NO);
        }

        @Override
        boolean isForSubtrees() {
            return false;
        }

        @Override
        Outcome decideDirectory(INode parent, INode directory) {
            context.access().check(call.caller(), directory, Access.WRITE, path);
            return Outcome.unchanged(Reply.Done.NO);
        }

        @Override
        INode change(INode file, LockedRows rows) {
            context.access().check(call.caller(), file, Access.WRITE, path);
            return file.withReplication(operation.replication());
        }
    }
}
