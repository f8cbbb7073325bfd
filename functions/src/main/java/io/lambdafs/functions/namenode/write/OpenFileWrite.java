package io.lambdafs.functions.namenode.write;

import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.Chain;
import io.lambdafs.functions.namenode.transaction.IsDirectory;
import io.lambdafs.functions.namenode.transaction.IsElsewhere;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Outcome;
import io.lambdafs.functions.namenode.transaction.Restart;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Read;
import io.lambdafs.store.block.WriterLease;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Base class of writes to an open file, known by its id. As in HDFS, they reach the file wherever it or an ancestor has
 * been moved, whatever is at the old path now. They are its writer's alone: the holder of the writer lease, or the
 * owner of an empty file without one. The writer needs no permissions any more, because its stream is already open;
 * nobody else's permissions count (FILES: F24).
 */
abstract class OpenFileWrite extends FileWrite {
    /** The generation of whoever closes a file under whichever lease there is. */
    static final long ANY_GENERATION = -1;

    private final OpenFile file;
    private final long generation;
    /** The directory searched; 0 for none. */
    private long directoryId;
    /** The storage policy of the directory searched; empty for none. */
    private String directoryPolicy = "";

    /**
     * The file that a caller claims to write.
     *
     * @param generation of its writer lease; 0 if it has none yet, or {@link #ANY_GENERATION}
     */
    record Writer(FsPath path, OpenFile file, long generation) {}

    OpenFileWrite(OperationContext context, Call call, Writer writer) {
        super(context, call, writer.path());
        this.file = writer.file();
        this.generation = writer.generation();
    }

    @Override
    public CompletionStage<Reply> run() {
        if (path.isRoot()) {
            return locate();
        }
        return context.resolver()
                .resolve(call, path, path.depth() - 1)
                .thenCompose(this::resolved)
                .exceptionallyCompose(error ->
                        isElsewhere(FsException.unwrap(error)) ? locate() : CompletableFuture.failedFuture(error));
    }

    private static boolean isElsewhere(Throwable error) {
        return error instanceof IsElsewhere || error instanceof IsDirectory;
    }

    private CompletionStage<Reply> resolved(Chain chain) {
        if (!chain.reaches(path.depth() - 1) || chain.last().isFile()) {
            return locate();
        }
        directoryId = chain.last().id();
        directoryPolicy = chain.storagePolicy();
        return write(chain);
    }

    @Override
    Outcome absent(INode parent) {
        throw new IsElsewhere();
    }

    @Override
    final Outcome decide(INode parent, INode found, LockedRows rows) {
        if (found.id() != file.id()) {
            throw new IsElsewhere();
        }
        if (generation <= 0 || isUnder(found, generation)) {
            checkHolder(found, rows);
        }
        return decideOpen(parent, found, rows);
    }

    /** Decides under the locks; unless the generation is another one, the caller is the file's writer. */
    abstract Outcome decideOpen(INode parent, INode file, LockedRows rows);

    /** Locks the writer lease, which names its holder. Overriding methods add theirs. */
    @Override
    List<Read> moreLocks() {
        return generation == 0 ? List.of() : List.of(Read.exclusive(WriterLease.key(file.id())));
    }

    private void checkHolder(INode found, LockedRows rows) {
        checkWriter(found, generation == 0 ? null : rows.row(WriterLease.key(found.id())));
    }

    private static boolean isUnder(INode written, long generation) {
        return written.content() == INode.Content.WRITING && written.contentId() == generation;
    }

    /** Refuses a writer whose lease has been taken or released meanwhile. */
    final void checkGeneration(INode written) {
        if (!isUnder(written, generation)) {
            throw stale(generation);
        }
    }

    /** Returns the storage policy of the file, by default its directory's; empty for none. */
    final String storagePolicy(INode found) {
        String own = found.traits().storagePolicy();
        return own.isEmpty() ? directoryPolicy : own;
    }

    final OpenFile file() {
        return file;
    }

    /**
     * Restarts at the file's current path. A file that was itself moved has a location row until it is closed;
     * otherwise it is in its original directory, wherever that is now, and if it is not there it is gone.
     */
    private CompletionStage<Reply> locate() {
        return context.locations()
                .pathOf(call.epoch(), file.id())
                .thenCompose(moved -> moved != null || directoryId == file.directoryId()
                        ? CompletableFuture.completedFuture(moved)
                        : context.locations().pathOf(call.epoch(), file.directoryId(), path.name()))
                .thenCompose(this::located);
    }

    private CompletionStage<Reply> located(@Nullable FsPath found) {
        if (found == null) {
            return context.writes().refuse(call, gone());
        }
        // The row and the location were read at two moments.
        return CompletableFuture.failedFuture(
                found.equals(path) ? Restart.changed("\"" + path + "\"") : Restart.moved(found));
    }

    private FsException gone() {
        return new FsException(
                ErrorCode.NOT_FOUND,
                "the file that was made as \"" + path
                        + "\" is gone: while it was being written, it was deleted, replaced by another one, or closed by another user and moved");
    }
}
