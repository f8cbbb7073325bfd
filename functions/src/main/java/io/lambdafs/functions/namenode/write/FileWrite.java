package io.lambdafs.functions.namenode.write;

import io.lambdafs.functions.cache.CacheChange;
import io.lambdafs.functions.cache.Child;
import io.lambdafs.functions.cache.Fill;
import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.Chain;
import io.lambdafs.functions.namenode.transaction.IsDirectory;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Outcome;
import io.lambdafs.functions.namenode.transaction.WritePlan;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Change;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.block.WriterLease;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Base class of writes that change one existing file in place. Throws {@link IsDirectory} if the path is a directory.
 */
abstract class FileWrite {
    final OperationContext context;
    final Call call;
    final FsPath path;

    FileWrite(OperationContext context, Call call, FsPath path) {
        this.context = context;
        this.call = call;
        this.path = path;
    }

    public CompletionStage<Reply> run() {
        if (path.isRoot()) {
            return CompletableFuture.failedFuture(new IsDirectory());
        }
        return context.resolver().resolve(call, path, path.depth() - 1).thenCompose(this::resolved);
    }

    private CompletionStage<Reply> resolved(Chain chain) {
        try {
            context.access().checkSearch(call.caller(), chain, path);
            chain.directory(path.depth() - 1);
        } catch (FsException refusal) {
            return refusal.code() == ErrorCode.NOT_FOUND
                    ? missing(refusal)
                    : context.writes().refuse(call, refusal);
        }
        return isForSubtrees() && context.resolver().cachedDirectory(path, chain.last()) != null
                ? CompletableFuture.failedFuture(new IsDirectory())
                : write(chain);
    }

    /** Runs the write in the directory that a chain leads to. */
    final CompletionStage<Reply> write(Chain chain) {
        return context.writes().run(call, new Plan(chain));
    }

    /** Returns the answer if a directory on the path is missing. */
    CompletionStage<Reply> missing(FsException refusal) {
        return context.writes().refuse(call, refusal);
    }

    /** Returns the answer if the file is missing. */
    Outcome absent(INode parent) {
        throw Chain.notFound(path);
    }

    /** Decides under the locks; the file is not flagged and its directory has been verified. */
    abstract Outcome decide(INode parent, INode file, LockedRows rows);

    /** Returns locks needed beyond the file, its directory and the listing. */
    List<Read> moreLocks() {
        return List.of();
    }

    /** Returns whether directories are left to the subtree operations, which check permissions themselves. */
    boolean isForSubtrees() {
        return false;
    }

    /** Decides if a directory is found. */
    Outcome decideDirectory(INode parent, INode directory) {
        throw new IsDirectory();
    }

    /**
     * Returns the outcome of a change to the file and its directory's listing, cached afterwards if this instance owns
     * the path.
     */
    final Outcome changed(Reply reply, List<Mutation> mutations, Fill.Entry fill, Change.Kind kind) {
        return changed(reply, mutations, fill, List.of(Change.Event.of(kind, fill.node(), path)));
    }

    /** Returns such an outcome with events for the change log. */
    final Outcome changed(Reply reply, List<Mutation> mutations, Fill.Entry fill, List<Change.Event> events) {
        return new Outcome(
                reply,
                mutations,
                new CacheChange(
                        Scope.of(path),
                        context.owns(path) ? List.of(fill) : List.of(),
                        List.of(new Child(path, fill.node()))),
                events);
    }

    /** Refuses whoever is not the writer of an open file: the holder of its lease, or the owner of a file without one. */
    final void checkWriter(INode file, @Nullable Row lease) {
        String holder = lease == null ? file.owner() : WriterLease.of(lease).holder();
        if (!holder.equals(call.caller().user()) && !context.access().isSuperuser(call.caller())) {
            throw new FsException(
                    ErrorCode.PERMISSION_DENIED,
                    "permission denied: user=" + call.caller().user() + ", path=\"" + path + "\": its writer is "
                            + holder);
        }
    }

    final FsException stale(long generation) {
        return new FsException(
                ErrorCode.STALE_GENERATION,
                "\"" + path + "\" is not being written under the writer lease of generation " + generation
                        + " any more: it was closed, or taken by another writer; open it again");
    }

    private final class Plan implements WritePlan {
        private final Chain chain;
        private final INode parent;

        Plan(Chain chain) {
            this.chain = chain;
            this.parent = chain.last();
        }

        @Override
        public List<Chain> chains() {
            return List.of(chain);
        }

        @Override
        public List<Read> locks() {
            List<Read> locks = new ArrayList<>(List.of(
                    Read.shared(Rows.inodeKey(parent.parentId(), parent.name())),
                    Read.shared(Rows.listingKey(parent.id())),
                    Read.exclusive(Rows.inodeKey(parent.id(), path.name()))));
            locks.addAll(moreLocks());
            return locks;
        }

        @Override
        public Optional<List<@Nullable Row>> expected() {
            INode file = context.cachedFile(path);
            return file == null || !moreLocks().isEmpty()
                    ? Optional.empty()
                    : Optional.of(Arrays.asList(Rows.of(parent), null, Rows.of(file)));
        }

        @Override
        public Outcome decide(LockedRows rows) {
            INode directory = rows.sameDirectory(parent, path.parent());
            INode found = rows.inode(parent.id(), path.name());
            if (found == null) {
                return absent(directory);
            }
            if (found.isDirectory()) {
                return FileWrite.this.decideDirectory(directory, found);
            }
            return FileWrite.this.decide(directory, found, rows);
        }
    }
}
