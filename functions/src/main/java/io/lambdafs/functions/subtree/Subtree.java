package io.lambdafs.functions.subtree;

import io.lambdafs.functions.namenode.transaction.Chain;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Outcome;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Read;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The steps specific to each kind of subtree operation. Used by one execution. */
interface Subtree {
    /** Returns the kind for the table of active operations. */
    String kind();

    /**
     * Resolves the operation's paths; refusals are {@code FsException}s. The write of a file, as which every operation
     * begins, has checked that the caller may search the directories above, and none changes while it is in flight.
     *
     * @return the directories to mark; one that turns out to be missing or not a directory is left out of {@code held},
     *     but its path is still entered in the table
     */
    CompletionStage<List<Mark>> resolve();

    /** Returns the reply to a refusal. */
    default Reply answer(FsException refusal) {
        return Reply.Failure.of(refusal);
    }

    /**
     * Checks the rows found under the locks of the marks and their parents, before anything is marked (PROTOCOL: S1).
     *
     * @return a reply if nothing is to be marked; null to continue. Throws an {@code FsException} if the caller lacks
     *     permission
     */
    @Nullable
    Reply refusal(List<Mark> marks, LockedRows rows);

    /** Does the work between the drain and the final write, under the mark: nothing below can change. */
    CompletionStage<Void> inspect(Held held);

    /** Returns the chains of the final write, as {@link io.lambdafs.functions.namenode.transaction.WritePlan#chains} does. */
    default List<Chain> chains() {
        return List.of();
    }

    /** Returns the locks of the final write. */
    List<Read> locks(Held held);

    /**
     * Decides the final write; the marks have been verified. Whatever the decision, its transaction removes the marks.
     */
    Outcome decide(Held held, LockedRows rows);

    /**
     * The marks held by an operation.
     *
     * @param operation its number
     * @param marked the marked directories by path, as stored; iterated in path order
     */
    record Held(long operation, List<FsPath> paths, Map<FsPath, INode> marked) {
        public Held {
            paths = List.copyOf(paths);
            marked = Collections.unmodifiableMap(new TreeMap<>(marked));
        }
    }
}
