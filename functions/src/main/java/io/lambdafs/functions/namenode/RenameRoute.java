package io.lambdafs.functions.namenode;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.INode;
import io.lambdafs.model.Operation;
import io.lambdafs.model.Operation.RenameMode;
import java.util.concurrent.CompletionStage;

/**
 * Source and destination of a rename, resolved down to their directories. Where HDFS's legacy rename is given an existing directory as
 * destination, the source goes into it. Immutable.
 *
 * @param destination where the source ends up
 */
public record RenameRoute(Operation.Rename operation, INode sourceParent, INode destinationParent, FsPath destination) {

    /** Resolves; refusals are typed as for {@code rename2}. */
    public static CompletionStage<RenameRoute> resolve(OperationParts parts, Call call, Operation.Rename operation) {
        return resolve(parts, call, operation, false);
    }

    /**
     * Resolves.
     *
     * @param expectAbsent take a destination that is not cached for one that does not exist: found out under the locks
     */
    static CompletionStage<RenameRoute> resolve(
            OperationParts parts, Call call, Operation.Rename operation, boolean expectAbsent) {
        FsPath source = operation.path();
        FsPath wanted = operation.destination();
        if (source.isRoot() || (wanted.isRoot() && operation.mode() != RenameMode.INTO)) {
            throw new FsException(ErrorCode.NOT_ALLOWED, "the root cannot be renamed or replaced");
        }
        CompletionStage<Chain> target = operation.mode() != RenameMode.INTO
                ? parts.resolver().resolve(call, wanted, wanted.depth() - 1)
                : expectAbsent
                        ? parts.resolver().resolveExpectingAbsent(call, wanted)
                        : parts.resolver().resolve(call, wanted, wanted.depth());
        return parts.resolver().resolve(call, source, source.depth() - 1).thenCombine(target, (from, to) -> {
            parts.access().checkTraverse(call.caller(), from, source);
            parts.access().checkTraverse(call.caller(), to, wanted);
            return join(operation, from, to);
        });
    }

    private static RenameRoute join(Operation.Rename operation, Chain from, Chain to) {
        FsPath source = operation.path();
        FsPath wanted = operation.destination();
        INode sourceParent = from.directory(source.depth() - 1);
        boolean into = operation.mode() == RenameMode.INTO
                && to.reaches(wanted.depth())
                && to.node(wanted.depth()).isDirectory();
        FsPath destination = into ? wanted.child(source.name()) : wanted;
        if (destination.isAtOrBelow(source) && !destination.equals(source)) {
            throw new FsException(
                    ErrorCode.NOT_ALLOWED,
                    "\"" + source + "\" cannot be moved to \"" + destination + "\", which is below it");
        }
        return new RenameRoute(operation, sourceParent, to.directory(destination.depth() - 1), destination);
    }

    public FsPath source() {
        return operation.path();
    }

    /** Whether the destination is a directory above the source: it exists and is not empty, so that nothing can be moved to it. */
    public boolean isUpwards() {
        return source().isAtOrBelow(destination) && !source().equals(destination);
    }

    public boolean isLegacy() {
        return operation.mode() == RenameMode.INTO;
    }
}
