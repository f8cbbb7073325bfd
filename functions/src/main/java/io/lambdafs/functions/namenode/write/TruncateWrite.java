package io.lambdafs.functions.namenode.write;

import io.lambdafs.functions.cache.Fill;
import io.lambdafs.functions.namenode.Access;
import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.block.BlockPlaces;
import io.lambdafs.functions.namenode.block.BlockReads;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.Chain;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Outcome;
import io.lambdafs.functions.namenode.transaction.Restart;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Change;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.block.StoredBlock;
import io.lambdafs.store.format.FormatLevel;
import io.lambdafs.store.snapshot.HeldFile;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * truncate: cuts a file without writing data. Inline content, or the block containing the new end, stays as it is and
 * the file shows less of it; blocks beyond the end are removed. A file cut to nothing becomes one in blocks with no
 * blocks, so that no writer of the old content can replace it (FILES: F14).
 */
public final class TruncateWrite extends FileWrite {
    /** Maximum number of blocks removed by one truncate. */
    public static final int MOST_BLOCKS = 2_000;

    private final BlockReads reads;
    private final long length;
    private @Nullable INode seen;
    private long fileId;
    private BlockReads.Tail tail = new BlockReads.Tail(0, 0, List.of());

    public TruncateWrite(OperationContext context, Call call, BlockReads reads, BlockOperation.Truncate operation) {
        super(context, call, operation.path());
        this.reads = reads;
        this.length = operation.length();
    }

    @Override
    public CompletionStage<Reply> run() {
        return context.resolver().resolve(call, path, path.depth()).thenCompose(chain -> {
            if (path.isRoot()) {
                return refuseRoot(chain.last());
            }
            INode found = chain.reaches(path.depth()) ? chain.last() : null;
            fileId = found == null ? 0 : found.id();
            if (found == null || found.content() != INode.Content.BLOCKS || found.size() <= length) {
                return super.run();
            }
            seen = found;
            return reads.tail(call, found.id(), length, MOST_BLOCKS).thenCompose(last -> {
                tail = last;
                return super.run();
            });
        });
    }

    private CompletionStage<Reply> refuseRoot(INode root) {
        boolean allowed = context.access().allows(call.caller(), root, Access.WRITE);
        return context.writes()
                .refuse(
                        call,
                        allowed ? Chain.isADirectory(path) : Access.denied(call.caller(), root, Access.WRITE, path));
    }

    @Override
    List<Read> moreLocks() {
        List<Read> locks = new ArrayList<>();
        locks.add(Read.shared(FormatLevel.KEY));
        locks.add(Read.unlocked(HeldFile.key(fileId)));
        if (tail.last().size() <= MOST_BLOCKS) {
            tail.last().forEach(block -> locks.add(Read.exclusive(StoredBlock.key(block.inodeId(), block.index()))));
        }
        return locks;
    }

    @Override
    Outcome decideDirectory(INode parent, INode directory) {
        context.access().check(call.caller(), directory, Access.WRITE, path);
        return super.decideDirectory(parent, directory);
    }

    @Override
    Outcome decide(INode parent, INode file, LockedRows rows) {
        context.access().check(call.caller(), file, Access.WRITE, path);
        checkClosed(file);
        if (file.size() == length) {
            return Outcome.unchanged(Reply.Done.YES);
        }
        if (file.size() < length) {
            throw FsException.invalidArgument(
                    "cannot truncate \"" + path + "\" to " + length + " bytes: it has " + file.size());
        }
        checkLevel(FormatLevel.of(rows.row(FormatLevel.KEY)));
        List<Mutation> mutations = new ArrayList<>();
        boolean stays = file.content() == INode.Content.INLINE && length > 0;
        if (file.content() == INode.Content.BLOCKS) {
            cutBlocks(file, rows, mutations);
        } else if (!stays) {
            mutations.add(new Mutation.Delete(Rows.contentKey(file.id())));
        }
        INode after = file.withContent(
                stays ? INode.Content.INLINE : INode.Content.BLOCKS,
                stays ? file.contentId() : file.contentId() + 1,
                length,
                rows.nowMillis());
        mutations.add(new Mutation.Put(Rows.of(after)));
        return changed(Reply.Done.YES, mutations, new Fill.Entry(path, after, null), Change.Kind.TRUNCATE);
    }

    private void checkClosed(INode file) {
        if (file.content() == INode.Content.ABSENT) {
            throw new FsException(ErrorCode.NO_CONTENT, "\"" + path + "\" was imported without its content");
        }
        if (file.content() == INode.Content.WRITING) {
            throw new FsException(
                    ErrorCode.BEING_WRITTEN,
                    "\"" + path
                            + "\" is being written: it can be truncated once it is closed (recoverLease closes it)");
        }
    }

    private void checkLevel(FormatLevel level) {
        if (!level.has(FormatLevel.CUT)) {
            throw new FsException(
                    ErrorCode.UNSUPPORTED,
                    "cannot truncate \"" + path + "\": the store has format level " + level.number()
                            + ", which knows no file that was cut: once every instance is of this build, raise it (lambdafs upgrade --finalize)");
        }
    }

    private void cutBlocks(INode file, LockedRows rows, List<Mutation> mutations) {
        if (!file.equals(seen)) {
            throw Restart.changed("\"" + path + "\"");
        }
        if (tail.last().size() > MOST_BLOCKS) {
            throw new FsException(
                    ErrorCode.NOT_ALLOWED,
                    "more than " + MOST_BLOCKS + " blocks of \"" + path + "\" lie beyond " + length
                            + " bytes: truncate it step by step");
        }
        long shown = length - tail.offset();
        for (StoredBlock each : tail.last()) {
            Row row = rows.row(StoredBlock.key(each.inodeId(), each.index()));
            if (row == null) {
                throw Restart.changed("\"" + path + "\"");
            }
            StoredBlock block = StoredBlock.of(row);
            if (shown > 0) {
                mutations.add(new Mutation.Put(block.cut(shown).row()));
                shown = 0;
            } else {
                mutations.add(new Mutation.Delete(row.key()));
                mutations.add(new Mutation.Put(block.invalid(BlockPlaces.deletableMillis(rows.nowMillis()))));
            }
        }
    }
}
