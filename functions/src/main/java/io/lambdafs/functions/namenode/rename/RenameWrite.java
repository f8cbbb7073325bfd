package io.lambdafs.functions.namenode.rename;

import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.Chain;
import io.lambdafs.functions.namenode.transaction.IsDirectory;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Outcome;
import io.lambdafs.functions.namenode.transaction.Restart;
import io.lambdafs.functions.namenode.transaction.WritePlan;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** rename of a file; throws {@link IsDirectory} to hand a directory over to the subtree operations. */
public final class RenameWrite {
    private final OperationContext context;
    private final Call call;
    private final NamespaceOperation.Rename operation;

    public RenameWrite(OperationContext context, Call call, NamespaceOperation.Rename operation) {
        this.context = context;
        this.call = call;
        this.operation = operation;
    }

    public CompletionStage<Reply> run() {
        return RenameRoute.resolve(context, call, operation, true)
                .exceptionallyCompose(error -> restsOnPresumption(error)
                        ? RenameRoute.resolve(context, call, operation)
                        : CompletableFuture.failedFuture(error))
                .thenCompose(route -> route.isUpwards() ? resolved() : move(route))
                .exceptionallyCompose(
                        error -> Restart.isChange(error) ? resolved() : CompletableFuture.failedFuture(error))
                .exceptionallyCompose(this::refuseOrFail);
    }

    /**
     * Returns whether a refusal may be due to a destination presumed absent that is really a directory to move into.
     */
    private boolean restsOnPresumption(Throwable error) {
        return operation.mode() == Operation.RenameMode.INTO
                && FsException.unwrap(error) instanceof FsException refusal
                && refusal.code().disposition() == Disposition.FINAL;
    }

    private CompletionStage<Reply> resolved() {
        return RenameRoute.resolve(context, call, operation).thenCompose(this::move);
    }

    private CompletionStage<Reply> move(RenameRoute route) {
        boolean mayMove = route.obstacle() == null && !route.source().isAtOrBelow(route.destination());
        if (mayMove && context.resolver().cachedDirectory(route.source(), route.sourceParent()) != null) {
            return CompletableFuture.failedFuture(new IsDirectory());
        }
        RenameDecision decision = new RenameDecision(context, call, route);
        return context.writes().run(call, new WritePlan() {
            @Override
            public List<Read> locks() {
                return decision.locks();
            }

            @Override
            public List<Chain> chains() {
                return route.chains();
            }

            @Override
            public Optional<List<@Nullable Row>> expected() {
                INode moved = context.cachedFile(route.source());
                return moved == null || route.obstacle() != null
                        ? Optional.empty()
                        : Optional.of(decision.expected(moved, context.cachedFile(route.destination())));
            }

            @Override
            public Outcome decide(LockedRows rows) {
                return decision.decide(rows, 0, null);
            }
        });
    }

    /** Records a refusal by the resolution; any other failure passes through. */
    private CompletionStage<Reply> refuseOrFail(Throwable error) {
        Throwable cause = FsException.unwrap(error);
        return cause instanceof FsException refusal && refusal.code().disposition() == Disposition.FINAL
                ? context.writes().answer(call, RenameRoute.answer(operation, refusal))
                : CompletableFuture.failedFuture(cause);
    }
}
