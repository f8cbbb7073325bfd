package io.lambdafs.functions.namenode.rename;

import io.lambdafs.functions.cache.CacheChange;
import io.lambdafs.functions.cache.Child;
import io.lambdafs.functions.cache.Fill;
import io.lambdafs.functions.namenode.Access;
import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.block.SmallFiles;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.Chain;
import io.lambdafs.functions.namenode.transaction.IsDirectory;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Outcome;
import io.lambdafs.functions.namenode.transaction.Restart;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.SeenFile;
import io.lambdafs.store.Change;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The locks and the decision of a rename, by HDFS's rules of {@code rename} and {@code rename2}: for files and, under
 * the mark of a subtree operation, for directories. One row moves. Immutable.
 */
public final class RenameDecision {
    private final OperationContext context;
    private final Call call;
    private final RenameRoute route;
    private final List<Read> locks;

    public RenameDecision(OperationContext context, Call call, RenameRoute route) {
        this.context = context;
        this.call = call;
        this.route = route;
        this.locks = locks(route);
    }

    /**
     * Returns the locks on both names, their directories and both listings; if there is an obstacle, those a refusal
     * depends on.
     */
    public List<Read> locks() {
        return locks;
    }

    private static List<Read> locks(RenameRoute route) {
        INode from = route.sourceParent();
        INode to = route.destinationParent();
        Set<Read> reads = new LinkedHashSet<>();
        reads.add(Read.shared(Rows.inodeKey(from.parentId(), from.name())));
        RenameRoute.Obstacle obstacle = route.obstacle();
        if (obstacle != null) {
            reads.add(Read.shared(Rows.inodeKey(from.id(), route.source().name())));
            if (obstacle.missing() != null) {
                reads.add(Read.shared(Rows.inodeKey(to.parentId(), to.name())));
                reads.add(Read.shared(Rows.inodeKey(to.id(), obstacle.missing())));
            }
            return List.copyOf(reads);
        }
        reads.add(Read.shared(Rows.inodeKey(to.parentId(), to.name())));
        reads.add(Read.shared(Rows.listingKey(from.id())));
        reads.add(Read.shared(Rows.listingKey(to.id())));
        reads.add(Read.exclusive(Rows.inodeKey(from.id(), route.source().name())));
        if (!route.isUpwards()) {
            reads.add(Read.exclusive(Rows.inodeKey(to.id(), route.destination().name())));
        }
        return List.copyOf(reads);
    }

    /**
     * Returns the rows that {@link #locks} find if nothing has changed.
     *
     * @param moved the file
     * @param there the file at the destination; null if there is nothing
     */
    List<@Nullable Row> expected(INode moved, @Nullable INode there) {
        Map<Key, Row> known = new HashMap<>();
        for (INode node : Arrays.asList(route.sourceParent(), route.destinationParent(), moved, there)) {
            if (node != null) {
                // A rename within one directory names it twice.
                known.computeIfAbsent(Rows.inodeKey(node.parentId(), node.name()), key -> Rows.of(node));
            }
        }
        List<@Nullable Row> rows = new ArrayList<>();
        locks.forEach(read -> rows.add(known.get(read.key())));
        return rows;
    }

    /**
     * Decides the rename under the locks.
     *
     * @param markedBy the subtree operation that the rename is part of; 0 for a file
     * @param destinationStats of a destination directory; null if there is none
     */
    public Outcome decide(LockedRows rows, long markedBy, @Nullable DirectoryStats destinationStats) {
        INode from = rows.sameDirectory(route.sourceParent(), route.source().parent());
        INode moved = rows.inode(from.id(), route.source().name());
        checkFlag(moved, markedBy);
        checkSource(from, moved);
        if (route.obstacle() != null) {
            return decideObstacle(route.obstacle(), moved, rows);
        }
        INode to = rows.sameDirectory(
                route.destinationParent(), route.destination().parent());
        INode there = rows.inode(to.id(), route.destination().name());
        checkFlag(there, markedBy);
        boolean named = route.destination().equals(route.operation().destination());
        if (route.isLegacy() && named && there != null && there.isDirectory()) {
            // The source moves into it: it was presumed absent.
            throw Restart.changed("\"" + route.destination() + "\"");
        }
        context.access()
                .check(call.caller(), to, Access.WRITE, route.destination().parent());
        if (moved == null) {
            return refused(Chain.notFound(route.source()));
        }
        if (route.destination().equals(route.source())) {
            return route.isLegacy()
                    ? Outcome.unchanged(Reply.Done.YES)
                    : refused(exists("source and destination are the same"));
        }
        if (route.isUpwards()) {
            return refused(upwards(moved));
        }
        if (there != null) {
            if (route.isLegacy()) {
                return refused(exists(isThere()));
            }
            checkReplaced(moved, there, to);
        }
        SeenFile seen = route.operation().seen();
        if (seen != null) {
            // PROTOCOL: W17
            seen.check(there, route.destination());
        }
        if (moved.isDirectory() && markedBy == 0) {
            throw new IsDirectory();
        }
        if (there != null && there.isDirectory()) {
            checkEmpty(there, destinationStats);
        }
        return move(from, to, moved, there, rows.nowMillis());
    }

    private Outcome decideObstacle(RenameRoute.Obstacle obstacle, @Nullable INode moved, LockedRows rows) {
        if (obstacle.missing() != null) {
            INode last = rows.sameDirectory(
                    route.destinationParent(), route.destination().parent());
            if (rows.inode(last.id(), obstacle.missing()) != null) {
                throw Restart.changed("\"" + route.destination().parent() + "\"");
            }
        }
        return refused(moved == null ? Chain.notFound(route.source()) : obstacle.refusal());
    }

    private void checkSource(INode from, @Nullable INode moved) {
        context.access().check(call.caller(), from, Access.WRITE, route.source().parent());
        if (moved != null) {
            context.access().checkSticky(call.caller(), from, moved, route.source());
        }
    }

    private String isThere() {
        return "\"" + route.destination() + "\" exists";
    }

    private FsException upwards(INode moved) {
        return moved.isFile()
                ? overDirectory()
                : route.operation().mode() == RenameMode.OVERWRITE ? notEmpty() : exists(isThere());
    }

    private FsException overDirectory() {
        return new FsException(
                ErrorCode.IS_A_DIRECTORY, "\"" + route.destination() + "\" is a directory, the source is a file");
    }

    private FsException notEmpty() {
        return new FsException(ErrorCode.NOT_EMPTY, "directory is not empty: \"" + route.destination() + "\"");
    }

    private static void checkFlag(@Nullable INode node, long markedBy) {
        if (node != null && node.isFlagged() && !node.isMarkedBy(markedBy)) {
            throw Restart.flagged(node);
        }
    }

    /** Checks the target of a {@code rename2}: same kind, overwrite requested, and removable by the caller. */
    private void checkReplaced(INode moved, INode there, INode to) {
        if (moved.isFile() && there.isDirectory()) {
            throw overDirectory();
        }
        if (moved.isDirectory() && there.isFile()) {
            throw Chain.notADirectory(route.destination());
        }
        if (route.operation().mode() != RenameMode.OVERWRITE) {
            throw exists(isThere());
        }
        context.access().checkSticky(call.caller(), to, there, route.destination());
    }

    private void checkEmpty(INode there, @Nullable DirectoryStats stats) {
        if (stats == null || !there.isFlagged()) {
            throw Restart.changed("\"" + route.destination() + "\"");
        }
        if (stats.children() > 0) {
            throw notEmpty();
        }
    }

    private Outcome move(INode from, INode to, INode moved, @Nullable INode there, long now) {
        FsPath source = route.source();
        FsPath destination = route.destination();
        INode after = moved.withLocation(to.id(), destination.name()).withMark(null);
        List<Mutation> mutations = new ArrayList<>();
        mutations.add(new Mutation.Delete(Rows.inodeKey(from.id(), source.name())));
        mutations.add(new Mutation.Put(Rows.of(after)));
        if (after.isDirectory() || after.content() == INode.Content.NONE || after.content() == INode.Content.WRITING) {
            // Writers of it, or of files below, find it by id.
            mutations.add(new Mutation.Put(Rows.location(after)));
        }
        SmallFiles.remove(there, mutations);
        if (there != null && there.isDirectory()) {
            SmallFiles.removeExtras(there, mutations);
            mutations.add(new Mutation.Delete(Rows.statsKey(there.id())));
            mutations.add(new Mutation.Delete(Rows.totalsKey(there.id())));
            mutations.add(new Mutation.Delete(Rows.locationKey(there.id())));
        }
        mutations.add(Rows.childrenChanged(from.id(), -1, now));
        mutations.add(Rows.childrenChanged(to.id(), there == null ? 1 : 0, now));
        List<Fill> fills = after.isFile() && context.owns(destination)
                ? List.of(new Fill.Entry(destination, after, null))
                : List.of();
        return new Outcome(
                Reply.Done.YES,
                mutations,
                new CacheChange(
                        Scope.of(source, destination),
                        fills,
                        List.of(new Child(source, null), new Child(destination, after))),
                List.of(Change.Event.renamed(after, source, destination, there)));
    }

    private static FsException exists(String message) {
        return new FsException(ErrorCode.ALREADY_EXISTS, message);
    }

    /** Returns the outcome of a refusal: the legacy rename answers false where rename2 fails. */
    private Outcome refused(FsException refusal) {
        if (route.isLegacy()) {
            return Outcome.unchanged(Reply.Done.NO);
        }
        throw refusal;
    }
}
