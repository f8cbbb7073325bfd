package io.lambdafs.functions.namenode;

import io.lambdafs.store.Read;
import java.util.List;

/** What one write locks, and what it decides once it holds the locks. */
public interface WritePlan {
    /** Rows and listing locks; the instance's epoch and the request's slot come on top. No key twice with different modes. */
    List<Read> locks();

    /**
     * Verifies the resolution and decides. Pure: called once, under the locks.
     *
     * @throws io.lambdafs.model.FsException a refusal, which is recorded and answered
     * @throws Restart where what was resolved no longer stands
     */
    Outcome decide(LockedRows rows);
}
