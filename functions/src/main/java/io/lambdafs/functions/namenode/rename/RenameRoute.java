package io.lambdafs.functions.namenode.rename;

import io.lambdafs.functions.namenode.Access;
import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.Chain;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.Reply;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The resolved source and destination of a rename, down to their directories. If the destination of HDFS's legacy
 * rename is an existing directory, the source moves into it. Immutable.
 *
 * @param chains the resolved paths of both directories
 * @param destinationParent the directory to move the source into; with an obstacle, the last one on the path to it
 * @param destination the final path of the source
 * @param obstacle why nothing can be moved there, reported after the source and its permissions have been checked; null
 *     for none
 */
public record RenameRoute(
        NamespaceOperation.Rename operation,
        INode sourceParent,
        INode destinationParent,
        FsPath destination,
        @Nullable Obstacle obstacle,
        List<Chain> chains) {
    public RenameRoute {
        chains = List.copyOf(chains);
    }

    /**
     * An impossible destination.
     *
     * @param missing the name that would have to exist in {@code destinationParent}; null if irrelevant
     */
    record Obstacle(FsException refusal, @Nullable String missing) {}

    /** Resolves a rename; refusals are those of {@code rename2}. */
    public static CompletionStage<RenameRoute> resolve(
            OperationContext context, Call call, NamespaceOperation.Rename operation) {
        return resolve(context, call, operation, false);
    }

    /**
     * Resolves.
     *
     * @param expectAbsent presume an uncached destination to be absent, which is verified under the locks; a refusal
     *     for being below the source takes no locks
     */
    static CompletionStage<RenameRoute> resolve(
            OperationContext context, Call call, NamespaceOperation.Rename operation, boolean expectAbsent) {
        FsPath source = operation.path();
        FsPath wanted = operation.destination();
        CompletionStage<Chain> target = operation.mode() != RenameMode.INTO
                ? context.resolver().resolve(call, wanted, parentDepth(wanted))
                : expectAbsent && !wanted.isAtOrBelow(source)
                        ? context.resolver().resolveExpectingAbsent(call, wanted)
                        : context.resolver().resolve(call, wanted, wanted.depth());
        return context.resolver()
                .resolve(call, source, parentDepth(source))
                .thenCombine(target, (from, to) -> join(context.access(), call.caller(), operation, from, to));
    }

    private static int parentDepth(FsPath path) {
        return Math.max(0, path.depth() - 1);
    }

    /** Joins both resolutions, checking in HDFS's order: both paths, permissions at both ends, then what exists. */
    private static RenameRoute join(
            Access access, Principal who, NamespaceOperation.Rename operation, Chain from, Chain to) {
        FsPath source = operation.path();
        FsPath wanted = operation.destination();
        access.checkSearch(who, from, source);
        access.checkTraverse(who, to, wanted);
        if (to.last().isFile() && to.size() <= wanted.depth()) {
            throw Chain.notADirectory(to.lastPath());
        }
        boolean into = operation.mode() == RenameMode.INTO
                && to.reaches(wanted.depth())
                && to.node(wanted.depth()).isDirectory();
        if (source.isRoot() && into) {
            throw rootStays();
        }
        if (!source.isRoot() && from.reaches(source.depth() - 1)) {
            access.check(who, from.last(), Access.WRITE, source.parent());
        }
        int depth = into ? wanted.depth() : Math.min(parentDepth(wanted), to.size() - 1);
        INode last = to.node(depth);
        if (into) {
            access.check(who, last, Access.EXECUTE, wanted);
        }
        if (into || !wanted.isRoot()) {
            access.check(who, last, Access.WRITE, wanted.ancestor(depth));
        }
        if (source.isRoot()) {
            throw rootStays();
        }
        FsPath destination = into ? wanted.child(source.name()) : wanted;
        INode sourceParent = from.directory(source.depth() - 1);
        return new RenameRoute(
                operation, sourceParent, last, destination, obstacle(source, destination, to), List.of(from, to));
    }

    private static @Nullable Obstacle obstacle(FsPath source, FsPath destination, Chain to) {
        if (destination.isAtOrBelow(source) && !destination.equals(source)) {
            return new Obstacle(below(source, destination), null);
        }
        if (destination.isRoot()) {
            return new Obstacle(rootStays(), null);
        }
        int depth = destination.depth() - 1;
        return to.reaches(depth)
                ? null
                : new Obstacle(Chain.notFound(destination.ancestor(depth)), destination.name(to.size() - 1));
    }

    private static FsException rootStays() {
        return new FsException(ErrorCode.NOT_ALLOWED, "the root cannot be renamed or replaced");
    }

    private static FsException below(FsPath source, FsPath destination) {
        return new FsException(
                ErrorCode.NOT_ALLOWED,
                "\"" + source + "\" cannot be moved to \"" + destination + "\", which is below it");
    }

    /**
     * Returns the reply to a refusal: the legacy rename answers false if something is missing or the destination is
     * below the source.
     */
    public static Reply answer(NamespaceOperation.Rename operation, FsException refusal) {
        boolean quiet = operation.mode() == RenameMode.INTO
                && (refusal.code() == ErrorCode.NOT_FOUND || refusal.code() == ErrorCode.NOT_ALLOWED);
        return quiet ? Reply.Done.NO : Reply.Failure.of(refusal);
    }

    public FsPath source() {
        return operation.path();
    }

    /**
     * Returns whether the destination is an ancestor of the source: it exists and is not empty, so nothing can replace
     * it.
     */
    public boolean isUpwards() {
        return source().isAtOrBelow(destination) && !source().equals(destination);
    }

    public boolean isLegacy() {
        return operation.mode() == RenameMode.INTO;
    }
}
