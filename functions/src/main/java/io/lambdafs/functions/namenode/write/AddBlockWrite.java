package io.lambdafs.functions.namenode.write;

import io.lambdafs.functions.cache.Fill;
import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.block.BlockPlaces;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Outcome;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Rows;
import io.lambdafs.store.block.Datanode;
import io.lambdafs.store.block.StoredBlock;
import io.lambdafs.store.block.WriterLease;
import io.lambdafs.store.format.FormatLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * addBlock: allocates the next block of an open file, or a new attempt at it with its own key. The block's row exists
 * before its first byte, so that abandoned uploads can be found. The first block turns an empty file into one in blocks
 * and takes its writer lease (FILES: F2, F3, F7).
 */
public final class AddBlockWrite extends BlockWrite {
    /** The generation of the lease that an empty file's maker takes with its first block, and of no other. */
    static final long FIRST_GENERATION = 1;

    private final BlockOperation.AddBlock operation;
    /** Part of the object's key, so that no two attempts write the same object. */
    private final long attempt;

    private List<Datanode> writers = List.of();
    private long blockId;

    public AddBlockWrite(OperationContext context, Call call, BlockOperation.AddBlock operation) {
        super(
                context,
                call,
                new Writer(operation.path(), operation.file(), operation.generation()),
                operation.index(),
                new Report(operation.previous(), operation.receipt()));
        this.operation = operation;
        this.attempt = context.scheduler().random().nextLong();
    }

    @Override
    public CompletionStage<Reply> run() {
        return context.places()
                .writers(path, context.settings().smallFileLimit())
                .thenAcceptBoth(context.inodeIds().take(1), (found, id) -> {
                    writers = found;
                    blockId = id;
                })
                .handle((done, error) -> error == null ? super.run() : refuse(error))
                .thenCompose(reply -> reply);
    }

    private CompletionStage<Reply> refuse(Throwable error) {
        return FsException.unwrap(error) instanceof FsException refusal
                ? context.writes().refuse(call, refusal)
                : CompletableFuture.failedFuture(error);
    }

    /** Checks the store's format level: builds before {@link FormatLevel#BLOCKS} do not know the tables of blocks. */
    static void checkLevel(OperationContext context, FsPath path, FormatLevel level) {
        if (!level.has(FormatLevel.BLOCKS)) {
            throw new FsException(
                    ErrorCode.NEEDS_DATANODE,
                    "\"" + path + "\" is longer than " + context.settings().smallFileLimit()
                            + " bytes and needs a datanode, and the store has format level " + level.number()
                            + ", which knows none: once every instance is of this build, raise it (lambdafs upgrade --finalize)");
        }
    }

    @Override
    Outcome decideOpen(INode parent, INode found, LockedRows rows) {
        checkLevel(context, path, FormatLevel.of(rows.row(FormatLevel.KEY)));
        long generation = generation(found);
        List<Mutation> mutations = new ArrayList<>();
        long size = longer(found.size(), commitPrevious(found, rows, generation, mutations), path);
        dropAllocated(rows, mutations);
        BlockPlaces.Target target = context.places().choose(writers, storagePolicy(found), blockId);
        StoredBlock allocated = new StoredBlock(
                found.id(),
                operation.index(),
                new Block(blockId, generation, context.places().mostBytes(target.store(), mostBytes(found)), 0),
                target.store(),
                ObjectKey.of(blockId, generation, attempt),
                StoredBlock.State.ALLOCATED);
        mutations.add(new Mutation.Put(allocated.row()));
        mutations.add(new Mutation.Put(
                new WriterLease(found.id(), call.caller().user(), generation, rows.nowMillis()).row()));
        if (operation.generation() == 0) {
            mutations.add(new Mutation.Put(Rows.written(found)));
        }
        Reply reply = new Reply.BlockAdded(
                context.places().toWrite(allocated, call.caller().user(), operation.index() == 0 ? 0 : size, target));
        INode after = found.withContent(INode.Content.WRITING, generation, size, found.mtime())
                .withReserved(reserved(allocated, size, rows));
        if (after.equals(found)) {
            return Outcome.unchanged(reply).withMutations(mutations);
        }
        mutations.add(new Mutation.Put(Rows.of(after)));
        return changed(reply, mutations, new Fill.Entry(path, after, null), List.of());
    }

    /** Returns the block's maximum size: the first block of a file under append begins with its inline content. */
    private long mostBytes(INode found) {
        long most = operation.index() == 0 ? Math.max(found.blockSize(), found.size()) : found.blockSize();
        return Math.min(most, Operation.MAX_BLOCK_BYTES);
    }

    /** Returns by how much the block may make the file longer: the first one takes over the inline content. */
    private static long reserved(StoredBlock allocated, long size, LockedRows rows) {
        boolean counts = FormatLevel.of(rows.row(FormatLevel.KEY)).has(FormatLevel.QUOTAS);
        return counts ? allocated.block().length() - (allocated.index() == 0 ? size : 0) : 0;
    }

    private long generation(INode found) {
        if (operation.generation() != 0) {
            checkGeneration(found);
            return operation.generation();
        }
        if (found.content() != INode.Content.NONE || operation.index() != 0) {
            throw new FsException(
                    ErrorCode.NOT_UNDER_CONSTRUCTION,
                    "\"" + path + "\" has a content already, or is written by another writer");
        }
        return FIRST_GENERATION;
    }
}
