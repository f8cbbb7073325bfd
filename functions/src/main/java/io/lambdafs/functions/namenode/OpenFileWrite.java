package io.lambdafs.functions.namenode;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.INode;
import io.lambdafs.model.OpenFile;
import io.lambdafs.model.Reply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Base class of writes to an open file, known by its id. As in HDFS, they reach the file wherever it or an ancestor has
 * been moved, whatever is at the old path now; and the file's owner needs no permissions along the path, because the
 * stream is already open.
 */
abstract class OpenFileWrite extends FileWrite {
    private final OpenFile file;
    /** The directory searched; 0 for none. */
    private long directoryId;
    /** Why a caller who does not own the file cannot reach it; null if it can. */
    private @Nullable FsException unreachable;
    /** The storage policy of the directory searched; empty for none. */
    private String directoryPolicy = "";

    OpenFileWrite(OperationContext context, Call call, FsPath path, OpenFile file) {
        super(context, call, path);
        this.file = file;
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
        try {
            context.access().checkTraverse(call.caller(), chain, path);
        } catch (FsException refused) {
            unreachable = refused;
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
        if (!found.owner().equals(call.caller().user())) {
            if (unreachable != null) {
                throw unreachable;
            }
            context.access().check(call.caller(), found, Access.WRITE, path);
        }
        return decideOpen(parent, found, rows);
    }

    /** Decides under the locks; the file is the writer's, who may write it. */
    abstract Outcome decideOpen(INode parent, INode file, LockedRows rows);

    /** Refuses a writer whose lease has been taken or released meanwhile. */
    final void checkGeneration(INode written, long generation) {
        if (written.content() != INode.Content.WRITING || written.contentId() != generation) {
            throw new FsException(
                    ErrorCode.STALE_GENERATION,
                    "\"" + path + "\" is not being written under the writer lease of generation " + generation
                            + " any more: it was closed, or taken by another writer; open it again");
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
                        + "\" is gone: it was deleted, or replaced by another one, while it was being written");
    }
}
