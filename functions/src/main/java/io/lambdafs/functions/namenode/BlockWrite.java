package io.lambdafs.functions.namenode;

import io.lambdafs.model.Block;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.INode;
import io.lambdafs.model.OpenFile;
import io.lambdafs.store.FormatLevel;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.StoredBlock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A write to the blocks of an open file, from a place in it on. */
abstract class BlockWrite extends OpenFileWrite {
    /** The number of blocks before this one. */
    private final int index;

    private final @Nullable Block previous;

    /** @param previous the block before the index, which its writer tells to be durable; null where that is known, or there is none */
    BlockWrite(OperationContext context, Call call, FsPath path, OpenFile file, int index, @Nullable Block previous) {
        super(context, call, path, file);
        this.index = index;
        this.previous = previous;
    }

    @Override
    List<Read> moreLocks() {
        List<Read> locks = new ArrayList<>();
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
     * Makes the block before the index a part of the file. The first one of a file that was kept with the metadata begins with what was kept, and takes its
     * place.
     *
     * @return how much longer the file is for that
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
                || previous.length() > before.block().length()) {
            throw new FsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "block " + (index - 1) + " of \"" + path + "\" is not the one that was allocated there"
                            + (previous == null
                                    ? ""
                                    : ": " + previous.label() + " of " + previous.length() + " bytes"));
        }
        mutations.add(new Mutation.Put(before.written(previous).row()));
        long head = headBytes(file);
        if (head > 0) {
            mutations.add(new Mutation.Delete(Rows.contentKey(file.id())));
        }
        return previous.length() - head;
    }

    /** How many of the bytes are not in blocks yet, when the first one is told: all or none. */
    private long headBytes(INode file) {
        return index == 1 ? file.size() : 0;
    }

    /**
     * Ends the writing of a file: it has the blocks before the index. One that was kept with the metadata, and that nothing was appended to, is kept
     * there again.
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

    /** A build before {@link FormatLevel#CUT} looks for a content under its id, which is always the same. */
    static long contentId(long generation, LockedRows rows) {
        boolean keeps = FormatLevel.of(rows.row(FormatLevel.KEY)).has(FormatLevel.CUT);
        return keeps ? generation : INode.INLINE_CONTENT;
    }

    /** Gives up what was allocated at the index and never told to be durable. */
    final void dropAllocated(LockedRows rows, List<Mutation> mutations) {
        StoredBlock there = block(rows, index);
        if (there == null) {
            return;
        }
        if (there.state() == StoredBlock.State.WRITTEN) {
            throw new FsException(ErrorCode.INVALID_ARGUMENT, "\"" + path + "\" has a block " + index + " already");
        }
        mutations.add(new Mutation.Delete(there.row().key()));
        mutations.add(new Mutation.Put(there.invalid(BlockPlaces.deletableMillis(rows.nowMillis()))));
    }
}
