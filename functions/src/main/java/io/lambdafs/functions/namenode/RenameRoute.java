package io.lambdafs.functions.namenode;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.INode;
import io.lambdafs.model.Operation;
import io.lambdafs.model.Operation.RenameMode;
import io.lambdafs.model.Principal;
import io.lambdafs.model.Reply;
import java.util.concurrent.CompletableFuture;
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
            return CompletableFuture.failedFuture(
                    new FsException(ErrorCode.NOT_ALLOWED, "the root cannot be renamed or replaced"));
        }
        CompletionStage<Chain> target = operation.mode() != RenameMode.INTO
                ? parts.resolver().resolve(call, wanted, wanted.depth() - 1)
                : expectAbsent
                        ? parts.resolver().resolveExpectingAbsent(call, wanted)
                        : parts.resolver().resolve(call, wanted, wanted.depth());
        return parts.resolver()
                .resolve(call, source, source.depth() - 1)
                .thenCombine(target, (from, to) -> join(parts.access(), call.caller(), operation, from, to));
    }

    /** In HDFS's order: both ways, the rights at both ends, and only then what there is. */
    private static RenameRoute join(Access access, Principal who, Operation.Rename operation, Chain from, Chain to) {
        FsPath source = operation.path();
        FsPath wanted = operation.destination();
        access.checkSearch(who, from, source);
        access.checkTraverse(who, to, wanted);
        int above = Math.max(0, wanted.depth() - 1);
        if (to.last().isFile() && to.size() <= wanted.depth()) {
            throw Chain.notADirectory(to.lastPath());
        }
        boolean into = operation.mode() == RenameMode.INTO
                && to.reaches(wanted.depth())
                && to.node(wanted.depth()).isDirectory();
        if (from.reaches(source.depth() - 1)) {
            access.check(who, from.last(), Access.WRITE, source.parent());
        }
        int depth = into ? wanted.depth() : Math.min(above, to.size() - 1);
        access.check(who, to.node(depth), into ? Access.WRITE | Access.EXECUTE : Access.WRITE, wanted.ancestor(depth));
        FsPath destination = into ? wanted.child(source.name()) : wanted;
        INode sourceParent = from.directory(source.depth() - 1);
        if (destination.isAtOrBelow(source) && !destination.equals(source)) {
            throw to.reaches(source.depth()) ? below(source, destination) : Chain.notFound(source);
        }
        return new RenameRoute(operation, sourceParent, to.directory(destination.depth() - 1), destination);
    }

    private static FsException below(FsPath source, FsPath destination) {
        return new FsException(
                ErrorCode.NOT_ALLOWED,
                "\"" + source + "\" cannot be moved to \"" + destination + "\", which is below it");
    }

    /** Returns what is answered to a refusal: the legacy rename says false of what is missing or leads below itself. */
    public static Reply answer(Operation.Rename operation, FsException refusal) {
        boolean quiet = operation.mode() == RenameMode.INTO
                && (refusal.code() == ErrorCode.NOT_FOUND || refusal.code() == ErrorCode.NOT_ALLOWED);
        return quiet ? Reply.Done.NO : Reply.Failure.of(refusal);
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
