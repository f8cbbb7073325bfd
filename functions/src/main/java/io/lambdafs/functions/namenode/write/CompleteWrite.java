package io.lambdafs.functions.namenode.write;

import io.lambdafs.functions.cache.Fill;
import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.block.BlockPlaces;
import io.lambdafs.functions.namenode.block.SmallFiles;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Outcome;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Change;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.block.StoredBlock;
import io.lambdafs.store.format.FormatLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** complete: sets the content of a file created empty. */
public final class CompleteWrite extends OpenFileWrite {
    private final FileOperation.Complete operation;

    public CompleteWrite(OperationContext context, Call call, FileOperation.Complete operation) {
        super(context, call, new Writer(operation.path(), operation.file(), operation.generation()));
        this.operation = operation;
    }

    @Override
    public CompletionStage<Reply> run() {
        int limit = context.settings().smallFileLimit();
        int length = operation.content().length;
        return length > limit ? context.writes().refuse(call, CreateWrite.tooLong(path, length, limit)) : super.run();
    }

    /** Under a lease, a block may have been allocated that was not needed. */
    @Override
    List<Read> moreLocks() {
        List<Read> locks = new ArrayList<>(super.moreLocks());
        if (operation.generation() != 0) {
            locks.add(Read.exclusive(StoredBlock.key(file().id(), 0)));
            locks.add(Read.shared(FormatLevel.KEY));
        }
        return locks;
    }

    @Override
    Outcome decideOpen(INode parent, INode found, LockedRows rows) {
        long generation = operation.generation();
        if (generation != 0) {
            checkGeneration(found);
        }
        if (found.size() > 0 || (generation == 0 && found.content() != INode.Content.NONE)) {
            throw new FsException(ErrorCode.NOT_UNDER_CONSTRUCTION, "\"" + path + "\" has a content already");
        }
        long now = rows.nowMillis();
        byte[] content = operation.content();
        long contentId = generation == 0 ? INode.INLINE_CONTENT : BlockWrite.contentId(generation, rows);
        INode done = content.length == 0
                ? found.withContent(generation == 0 ? INode.Content.NONE : INode.Content.BLOCKS, generation, 0, now)
                : found.withContent(INode.Content.INLINE, contentId, content.length, now);
        List<Mutation> mutations = new ArrayList<>();
        mutations.add(new Mutation.Put(Rows.of(done)));
        if (generation == 0) {
            mutations.add(new Mutation.Delete(Rows.locationKey(found.id())));
        } else {
            SmallFiles.closed(found, mutations);
            dropAllocated(rows, mutations);
        }
        SmallFiles.put(done, content, mutations);
        Reply reply = new Reply.Status(Attributes.of(done, DirectoryStats.EMPTY));
        return changed(reply, mutations, new Fill.Entry(path, done, content), Change.Kind.CLOSE);
    }

    private void dropAllocated(LockedRows rows, List<Mutation> mutations) {
        Row row = rows.row(StoredBlock.key(file().id(), 0));
        if (row != null) {
            mutations.add(new Mutation.Delete(row.key()));
            mutations.add(new Mutation.Put(StoredBlock.of(row).invalid(BlockPlaces.deletableMillis(rows.nowMillis()))));
        }
    }
}
