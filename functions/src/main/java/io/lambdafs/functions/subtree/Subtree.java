package io.lambdafs.functions.subtree;

import io.lambdafs.functions.namenode.LockedRows;
import io.lambdafs.functions.namenode.Outcome;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.INode;
import io.lambdafs.model.Reply;
import io.lambdafs.store.Read;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The steps in which subtree operations differ. Used by one execution. */
interface Subtree {
    /** For the table of active operations. */
    String kind();

    /**
     * Resolves the operation's paths; refusals are {@code FsException}s.
     *
     * @return the directories to mark; a mark whose row turns out to be no directory, or not there, is left out of {@code held},
     *     but its path is entered in the table all the same
     */
    CompletionStage<List<Mark>> resolve();

    /** Returns what is answered to a refusal. */
    default Reply answer(FsException refusal) {
        return Reply.Failure.of(refusal);
    }

    /**
     * Looks at what was found under the locks of the marks and their directories, before anything is marked (PROTOCOL: S1).
     *
     * @return an answer where nothing is to be marked; null to go on. What the caller may not do is refused by an {@code FsException}
     */
    @Nullable
    Reply refusal(List<Mark> marks, LockedRows rows);

    /** Work between the drain and the final write, under the mark: nothing below can change. */
    CompletionStage<Void> inspect(Held held);

    /** Rows of the final write. */
    List<Read> locks(Held held);

    /** The final write; the marks are verified. Whatever it decides, its transaction removes the marks. */
    Outcome decide(Held held, LockedRows rows);

    /**
     * What an operation holds.
     *
     * @param operation its number
     * @param marked the marked directories by path, as they stand in the store; iterated in the order of the paths
     */
    record Held(long operation, List<FsPath> paths, Map<FsPath, INode> marked) {
        public Held {
            paths = List.copyOf(paths);
            marked = Collections.unmodifiableMap(new TreeMap<>(marked));
        }
    }
}
