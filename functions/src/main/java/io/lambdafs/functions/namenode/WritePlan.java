package io.lambdafs.functions.namenode;

import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The locks of one write, and its decision under them. */
public interface WritePlan {
    /** Rows and listing locks; the instance's epoch and the request's slot come on top. No key twice with different modes. */
    List<Read> locks();

    /**
     * What the rows of {@link #locks} say, as far as this instance knows without asking: one per lock, null for a row that is not there.
     * If all are so, the write needs one message to the store; if not, it is decided anew under the locks.
     *
     * @return empty where this instance does not know
     */
    default Optional<List<@Nullable Row>> expected() {
        return Optional.empty();
    }

    /** Whether {@link SafeMode} refuses what it changes; it then holds that setting's lock, shared, beside {@link #locks}. */
    default boolean obeysSafeMode() {
        return true;
    }

    /**
     * Verifies the resolution and decides. Pure, the time being {@link LockedRows#nowMillis}: called under the locks, and before that with the rows
     * that are expected.
     *
     * @throws io.lambdafs.model.FsException a refusal, which is recorded and answered
     * @throws Restart where what was resolved no longer stands
     */
    Outcome decide(LockedRows rows);
}
