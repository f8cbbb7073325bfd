package io.lambdafs.functions.namenode.write;

import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.block.BlockPlaces;
import io.lambdafs.functions.namenode.block.SmallFiles;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.block.StoredBlock;
import io.lambdafs.store.format.FormatLevel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Base class of writes to the blocks of an open file at an index. */
abstract class BlockWrite extends OpenFileWrite {
    /** The number of blocks before this one. */
    private final int index;

    private final @Nullable Block previous;
    private final byte[] receipt;

    /**
     * A writer's report on the block before the index.
     *
     * @param block now durable; null if already known or there is none
     * @param receipt its datanode's
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Report(@Nullable Block block, byte[] receipt) {
        static final Report NONE = new Report(null, BlockOperation.NO_RECEIPT);
    }

    BlockWrite(OperationContext context, Call call, OpenFileWrite.Writer writer, int index, Report report) {
        super(context, call, writer);
        this.index = index;
        this.previous = report.block();
        this.receipt = report.receipt();
    }

    @Override
    List<Read> moreLocks() {
        List<Read> locks = new ArrayList<>(super.moreLocks());
        if (index > 0) {
            locks.add(Read.exclusive(StoredBlock.key(file().id(), index - 1)));
        }
        locks.add(Read.exclusive(StoredBlock.key(file().id(), index)));
        locks.add(Read.shared(FormatLevel.KEY));
        return locks;
    }

    private @Nullable StoredBlock block(LockedRows rows, int at) {
        Row row = rows.row(StoredBlock.key(file().id(), at));
        return row == null ? null : StoredBlock.of(row);
    }

    /**
     * Commits the block before the index to the file. The first block of a file with inline content begins with that
     * content and replaces it.
     *
     * @return by how much the file grows
     */
    final long commitPrevious(INode file, LockedRows rows, long generation, List<Mutation> mutations) {
        if (index == 0) {
            return 0;
        }
        StoredBlock before = block(rows, index - 1);
        if (previous == null && before != null && before.state() == StoredBlock.State.WRITTEN) {
            return 0;
        }
        if (previous == null
                || before == null
                || before.state() != StoredBlock.State.ALLOCATED
                || before.block().id() != previous.id()
                || before.block().generation() != generation
                || previous.generation() != generation
                || previous.length() < Math.max(1, headBytes(file))
                || previous.length() > Math.min(before.block().length(), Operation.MAX_BLOCK_BYTES)) {
            throw FsException.invalidArgument("block " + (index - 1) + " of \"" + path
                    + "\" is not the one that was allocated there"
                    + (previous == null ? "" : ": " + previous.label() + " of " + previous.length() + " bytes"));
        }
        if (FormatLevel.of(rows.row(FormatLevel.KEY)).has(FormatLevel.RECEIPTS)) {
            context.places().checkReceipt(before, previous, receipt);
        }
        mutations.add(new Mutation.Put(before.written(previous).row()));
        long head = headBytes(file);
        if (head > 0) {
            mutations.add(new Mutation.Delete(Rows.contentKey(file.id())));
        }
        return previous.length() - head;
    }

    /** Returns the length of a file that has grown; refuses one that no file can have. */
    static long longer(long size, long more, FsPath path) {
        if (more > 0 && more > Operation.MAX_FILE_BYTES - size) {
            throw FsException.invalidArgument("\"" + path + "\" has " + size + " bytes and cannot get " + more
                    + " more: a file has at most " + Operation.MAX_FILE_BYTES);
        }
        return size + more;
    }

    /** Returns the number of bytes not yet in blocks when the first one is reported: all or none. */
    private long headBytes(INode file) {
        return index == 1 ? file.size() : 0;
    }

    /**
     * Closes a file with the blocks before the index. If its content was inline and nothing was appended, it is inline
     * again.
     *
     * @param generation of its last writer lease
     */
    final INode closed(INode file, LockedRows rows, long size, long generation, List<Mutation> mutations) {
        dropAllocated(rows, mutations);
        SmallFiles.closed(file, mutations);
        INode done = index == 0 && size > 0
                ? file.withContent(INode.Content.INLINE, contentId(generation, rows), size, file.mtime())
                : file.withContent(INode.Content.BLOCKS, generation, size, rows.nowMillis());
        mutations.add(new Mutation.Put(Rows.of(done)));
        return done;
    }

    /** Returns the content id. Builds before {@link FormatLevel#CUT} look for content under one fixed id. */
    static long contentId(long generation, LockedRows rows) {
        boolean keeps = FormatLevel.of(rows.row(FormatLevel.KEY)).has(FormatLevel.CUT);
        return keeps ? generation : INode.INLINE_CONTENT;
    }

    /** Drops a block allocated at the index but never reported durable. */
    final void dropAllocated(LockedRows rows, List<Mutation> mutations) {
        StoredBlock there = block(rows, index);
        if (there == null) {
            return;
        }
        if (there.state() == StoredBlock.State.WRITTEN) {
            throw FsException.invalidArgument("\"" + path + "\" has a block " + index + " already");
        }
        mutations.add(new Mutation.Delete(there.row().key()));
        mutations.add(new Mutation.Put(there.invalid(BlockPlaces.deletableMillis(rows.nowMillis()))));
    }
}
