package io.lambdafs.coordinator;

import java.util.concurrent.CompletionStage;

/** What the NameNode does as its session goes through its life. Never blocks. */
public interface SessionListener {
    /** A new epoch is live: all members have acknowledged it, the lease stands; filling may begin. */
    void joined(long epoch);

    /** The epoch is over (fenced, lease lost, left): everything cached goes, every ticket is void. Before this returns. */
    void ended(long epoch);

    /**
     * Invalidates, voids tickets, then, for prefixes, waits for the drain.
     *
     * @return completes with true when drained; the invalidation itself is done before this returns
     */
    CompletionStage<Void> invalidate(Invalidation invalidation);
}
