package io.lambdafs.functions;

import io.lambdafs.functions.housekeeping.Reclaimer;
import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.SafeMode;
import io.lambdafs.functions.namenode.block.BlockReads;
import io.lambdafs.functions.namenode.read.SnapshotReads;
import io.lambdafs.functions.namenode.read.StoreReads;
import io.lambdafs.functions.namenode.rename.RenameWrite;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.Chain;
import io.lambdafs.functions.namenode.transaction.IsDirectory;
import io.lambdafs.functions.namenode.write.AclWrite;
import io.lambdafs.functions.namenode.write.AddBlockWrite;
import io.lambdafs.functions.namenode.write.CompleteBlocksWrite;
import io.lambdafs.functions.namenode.write.CompleteWrite;
import io.lambdafs.functions.namenode.write.ConcatWrite;
import io.lambdafs.functions.namenode.write.CreateWrite;
import io.lambdafs.functions.namenode.write.FileWrites;
import io.lambdafs.functions.namenode.write.LeaseWrites;
import io.lambdafs.functions.namenode.write.MkdirsWrite;
import io.lambdafs.functions.namenode.write.QuotaWrite;
import io.lambdafs.functions.namenode.write.RecoverLeaseWrite;
import io.lambdafs.functions.namenode.write.SnapshotsWrite;
import io.lambdafs.functions.namenode.write.StoragePolicyWrite;
import io.lambdafs.functions.namenode.write.TruncateWrite;
import io.lambdafs.functions.namenode.write.XattrWrite;
import io.lambdafs.functions.subtree.SubtreeOperations;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.BulkDelete;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.WriteOperation;
import io.lambdafs.rpc.message.OperationRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** Dispatches every operation to its handler: reads by family, writes individually. Thread-safe. */
final class Handlers {
    private final StoreReads reads;
    private final SnapshotReads snapshots;
    private final BlockReads blocks;
    private final OperationContext operations;
    private final SubtreeOperations subtrees;
    private final Reclaimer reclaimer;
    private final BiFunction<Principal, OperationRequest, CompletionStage<Reply>> perform;

    /** @param perform executes one request of a caller to its reply */
    Handlers(
            StoreReads reads,
            SnapshotReads snapshots,
            BlockReads blocks,
            OperationContext operations,
            SubtreeOperations subtrees,
            Reclaimer reclaimer,
            BiFunction<Principal, OperationRequest, CompletionStage<Reply>> perform) {
        this.reads = reads;
        this.snapshots = snapshots;
        this.blocks = blocks;
        this.operations = operations;
        this.subtrees = subtrees;
        this.reclaimer = reclaimer;
        this.perform = perform;
    }

    CompletionStage<Reply> begin(Call call, Operation<?> operation) {
        return operation.dispatch(new Steps(call));
    }

    private final class Steps
            implements Operation.Families<CompletionStage<Reply>>, WriteOperation.Visitor<CompletionStage<Reply>> {
        private final Call call;

        Steps(Call call) {
            this.call = call;
        }

        @Override
        public CompletionStage<Reply> read(ReadOperation<?> operation) {
            if (operation.path().snapshotDepth() >= 0 && !(operation instanceof ReadOperation.ListEach)) {
                return operation.accept(snapshots.of(call));
            }
            return operation.accept(reads.of(
                    call,
                    one -> perform.apply(
                            call.caller(), new OperationRequest(0, call.id(), 1, call.deadlineMillis(), one))));
        }

        @Override
        public CompletionStage<Reply> write(WriteOperation<?> operation) {
            return operation.path().snapshotDepth() >= 0 && !(operation instanceof BulkDelete)
                    ? operations.writes().refuse(call, readOnly())
                    : operation.accept(this);
        }

        private FsException readOnly() {
            return new FsException(ErrorCode.PERMISSION_DENIED, "Modification on a read-only snapshot is disallowed");
        }

        @Override
        public CompletionStage<Reply> mkdirs(NamespaceOperation.Mkdirs operation) {
            return new MkdirsWrite(operations, call, operation).run();
        }

        @Override
        public CompletionStage<Reply> create(FileOperation.Create operation) {
            return new CreateWrite(operations, call, operation).run();
        }

        @Override
        public CompletionStage<Reply> complete(FileOperation.Complete operation) {
            return new CompleteWrite(operations, call, operation).run();
        }

        @Override
        public CompletionStage<Reply> addBlock(BlockOperation.AddBlock operation) {
            return new AddBlockWrite(operations, call, operation).run();
        }

        @Override
        public CompletionStage<Reply> completeBlocks(BlockOperation.CompleteBlocks operation) {
            return new CompleteBlocksWrite(operations, call, operation).run();
        }

        @Override
        public CompletionStage<Reply> renewLease(BlockOperation.RenewLease operation) {
            return new LeaseWrites.Renew(operations, call, operation).run();
        }

        @Override
        public CompletionStage<Reply> abandon(BlockOperation.Abandon operation) {
            return new LeaseWrites.Abandon(operations, call, operation).run();
        }

        @Override
        public CompletionStage<Reply> takeLease(BlockOperation.TakeLease operation) {
            return orDirectory(
                    new LeaseWrites.Take(operations, call, blocks, operation).run(), () -> isDirectory(operation));
        }

        @Override
        public CompletionStage<Reply> recoverLease(BlockOperation.RecoverLease operation) {
            return RecoverLeaseWrite.run(operations, call, blocks, operation);
        }

        @Override
        public CompletionStage<Reply> truncate(BlockOperation.Truncate operation) {
            return orDirectory(
                    new TruncateWrite(operations, call, blocks, operation).run(), () -> isDirectory(operation));
        }

        @Override
        public CompletionStage<Reply> concat(BlockOperation.Concat operation) {
            return new ConcatWrite(operations, call, blocks, operation).run();
        }

        private CompletionStage<Reply> isDirectory(Operation<?> operation) {
            return operations.writes().refuse(call, Chain.isADirectory(operation.path()));
        }

        @Override
        public CompletionStage<Reply> delete(NamespaceOperation.Delete operation) {
            return orDirectory(
                    new FileWrites.Delete(operations, call, operation).run(),
                    () -> subtrees.delete(call, operation).thenApply(this::reclaim));
        }

        @Override
        public CompletionStage<Reply> bulkDelete(BulkDelete operation) {
            return BulkDeletion.run(call, operation, request -> perform.apply(call.caller(), request));
        }

        private Reply reclaim(Reply reply) {
            reclaimer.run();
            return reply;
        }

        @Override
        public CompletionStage<Reply> rename(NamespaceOperation.Rename operation) {
            return orDirectory(
                    new RenameWrite(operations, call, operation).run(), () -> subtrees.rename(call, operation));
        }

        @Override
        public CompletionStage<Reply> setPermission(AttributeOperation.SetPermission operation) {
            return orDirectory(
                    new FileWrites.SetPermission(operations, call, operation).run(),
                    () -> subtrees.change(call, operation));
        }

        @Override
        public CompletionStage<Reply> setOwner(AttributeOperation.SetOwner operation) {
            return orDirectory(
                    new FileWrites.SetOwner(operations, call, operation).run(), () -> subtrees.change(call, operation));
        }

        @Override
        public CompletionStage<Reply> setTimes(AttributeOperation.SetTimes operation) {
            return orDirectory(
                    new FileWrites.SetTimes(operations, call, operation).run(), () -> subtrees.change(call, operation));
        }

        @Override
        public CompletionStage<Reply> setReplication(AttributeOperation.SetReplication operation) {
            return new FileWrites.SetReplication(operations, call, operation).run();
        }

        @Override
        public CompletionStage<Reply> setXattr(AttributeOperation.SetXattr operation) {
            return xattr(operation);
        }

        @Override
        public CompletionStage<Reply> removeXattr(AttributeOperation.RemoveXattr operation) {
            return xattr(operation);
        }

        @Override
        public CompletionStage<Reply> setSafeMode(AttributeOperation.SetSafeMode operation) {
            return SafeMode.set(operations, call, operation);
        }

        @Override
        public CompletionStage<Reply> changeAcl(AttributeOperation.ChangeAcl operation) {
            return orDirectory(new AclWrite(operations, call, operation).run(), () -> subtrees.change(call, operation));
        }

        @Override
        public CompletionStage<Reply> setStoragePolicy(AttributeOperation.SetStoragePolicy operation) {
            return StoragePolicyWrite.named(
                    operations,
                    call,
                    operation,
                    named -> orDirectory(
                            new StoragePolicyWrite(operations, call, named).run(), () -> subtrees.change(call, named)));
        }

        @Override
        public CompletionStage<Reply> setQuota(AttributeOperation.SetQuota operation) {
            return orDirectory(
                    new QuotaWrite(operations, call, operation).run(), () -> subtrees.change(call, operation));
        }

        @Override
        public CompletionStage<Reply> changeSnapshots(AttributeOperation.ChangeSnapshots operation) {
            return orDirectory(
                    new SnapshotsWrite(operations, call, operation).run(), () -> subtrees.change(call, operation));
        }

        private CompletionStage<Reply> xattr(AttributeOperation operation) {
            return orDirectory(
                    new XattrWrite(operations, call, operation).run(), () -> subtrees.change(call, operation));
        }

        private CompletionStage<Reply> orDirectory(
                CompletionStage<Reply> file, Supplier<CompletionStage<Reply>> directory) {
            return file.exceptionallyCompose(error -> FsException.unwrap(error) instanceof IsDirectory
                    ? directory.get()
                    : CompletableFuture.failedFuture(FsException.unwrap(error)));
        }
    }
}
