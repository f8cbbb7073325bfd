package io.lambdafs.coordinator;

import java.util.concurrent.CompletionStage;

/** The NameNode's callbacks from its session. Never blocks. */
public interface SessionListener {
    /** Returns whether anything may ever be cached, which each join announces to the members. Constant. */
    boolean caches();

    /** A new epoch is live: all members have acknowledged it and the lease is valid; filling may begin. */
    void joined(long epoch);

    /**
     * The epoch is over (fenced, lease lost, left): before returning, drops everything cached and voids every ticket.
     */
    void ended(long epoch);

    /** This instance has fenced another, which was gone or did not answer. */
    default void fenced(Member member) {}

    /**
     * A newcomer is in the view: every round begun from now on includes it.
     *
     * @return completes when the changes begun without it, and without a round, have ended
     */
    CompletionStage<Void> greeted();

    /**
     * Invalidates and voids tickets; for prefixes, then waits for the drain.
     *
     * @return completes with true when drained; the invalidation itself is complete on return
     */
    CompletionStage<Void> invalidate(Invalidation invalidation);
}
