package io.lambdafs.functions.subtree;

import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.rename.RenameDecision;
import io.lambdafs.functions.namenode.rename.RenameRoute;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.Chain;
import io.lambdafs.functions.namenode.transaction.IsDirectory;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Outcome;
import io.lambdafs.functions.namenode.transaction.Restart;
import io.lambdafs.functions.namenode.transaction.TotalsDeltas;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Read;
import io.lambdafs.store.Rows;
import io.lambdafs.store.snapshot.SnapshotNumber;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** rename of a directory: one row moves. A destination directory to be replaced is marked too, and must be empty. */
final class DirectoryRename implements Subtree {
    private final OperationContext context;
    private final Call call;
    private final NamespaceOperation.Rename operation;
    private @Nullable RenameRoute route;
    private boolean haveBeenSnapshots;

    DirectoryRename(OperationContext context, Call call, NamespaceOperation.Rename operation) {
        this.context = context;
        this.call = call;
        this.operation = operation;
    }

    @Override
    public String kind() {
        return "rename";
    }

    @Override
    public CompletionStage<List<Mark>> resolve() {
        return RenameRoute.resolve(context, call, operation).thenApply(found -> {
            if (found.obstacle() != null) {
                // It appeared after the source was found to be a directory.
                throw Restart.changed("\"" + found.destination() + "\"");
            }
            route = found;
            Mark source = new Mark(found.source(), found.sourceParent());
            Mark destination = new Mark(found.destination(), found.destinationParent());
            boolean alone = source.path().isAtOrBelow(destination.path());
            return alone ? List.of(source) : List.of(source, destination);
        });
    }

    private RenameRoute route() {
        RenameRoute found = route;
        if (found == null) {
            throw new IllegalStateException("not resolved");
        }
        return found;
    }

    @Override
    public Reply answer(FsException refusal) {
        return RenameRoute.answer(operation, refusal);
    }

    @Override
    public @Nullable Reply refusal(List<Mark> marks, LockedRows rows) {
        haveBeenSnapshots = rows.row(SnapshotNumber.SEQUENCE) != null;
        try {
            Outcome ofFile = new RenameDecision(context, call, route()).decide(rows, 0, null);
            if (ofFile.mutations().isEmpty()) {
                return ofFile.reply();
            }
        } catch (IsDirectory allowed) {
            return null;
        }
        throw Restart.changed("\"" + route().source() + "\"");
    }

    @Override
    public CompletionStage<Void> inspect(Held held) {
        return haveBeenSnapshots
                ? context.snapshotted()
                        .checkMovable(call.epoch(), route().source())
                        .thenCompose(done -> replaced(held) == null
                                ? CompletableFuture.completedFuture(null)
                                : context.snapshotted().checkMovable(call.epoch(), route().destination()))
                : CompletableFuture.completedFuture(null);
    }

    @Override
    public List<Chain> chains() {
        return route().chains();
    }

    @Override
    public List<Read> locks(Held held) {
        List<Read> reads = new ArrayList<>(new RenameDecision(context, call, route()).locks());
        reads.addAll(TotalsDeltas.locks(SubtreeTable.require(held, route().source())));
        INode replaced = replaced(held);
        if (replaced != null) {
            reads.add(Read.unlocked(Rows.statsKey(replaced.id())));
        }
        return reads;
    }

    @Override
    public Outcome decide(Held held, LockedRows rows) {
        INode replaced = replaced(held);
        DirectoryStats stats = replaced == null ? null : Rows.stats(rows.row(Rows.statsKey(replaced.id())));
        return new RenameDecision(context, call, route()).decide(rows, held.operation(), stats);
    }

    private @Nullable INode replaced(Held held) {
        return route().source().isAtOrBelow(route().destination())
                ? null
                : held.marked().get(route().destination());
    }
}
