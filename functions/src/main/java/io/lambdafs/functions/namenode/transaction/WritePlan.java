package io.lambdafs.functions.namenode.transaction;

import io.lambdafs.functions.namenode.SafeMode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A write as data: the locks it needs, and its decision under them. */
public interface WritePlan {
    /**
     * Returns row and listing locks, to which the instance's epoch and the request's slot are added. No key appears
     * twice with different modes.
     */
    List<Read> locks();

    /**
     * Returns the rows this instance expects under {@link #locks}, from its cache: one per lock, null for a missing
     * row. If all match, the write needs a single message to the store; otherwise it is decided again under the locks.
     *
     * @return empty if this instance does not know
     */
    default Optional<List<@Nullable Row>> expected() {
        return Optional.empty();
    }

    /**
     * Returns whether {@link SafeMode} applies; the write then also takes that setting's shared lock besides {@link
     * #locks}.
     */
    default boolean obeysSafeMode() {
        return true;
    }

    /**
     * Returns the resolved paths of all existing directories whose entries this write may change: the totals of the
     * directories above change too. Empty only if no INode is added, removed, moved or made larger or smaller.
     */
    default List<Chain> chains() {
        return List.of();
    }

    /** Returns the outcome where {@link #decide}, or a quota, refuses. */
    default Outcome refused(FsException refusal) {
        return Outcome.unchanged(Reply.Failure.of(refusal));
    }

    /**
     * Verifies the resolution and decides. A pure function (time comes from {@link LockedRows#nowMillis}): called under
     * the locks, and beforehand with the expected rows.
     *
     * @throws FsException a refusal, which is recorded and answered
     * @throws Restart if the resolution is no longer valid
     */
    Outcome decide(LockedRows rows);
}
