package io.lambdafs.coordinator;

import java.util.concurrent.CompletionStage;

/** What the NameNode does as its session goes through its life. Never blocks. */
public interface SessionListener {
    /** Returns whether anything may ever be cached: what the members are told at each join. Never changes. */
    default boolean caches() {
        return true;
    }

    /** A new epoch is live: all members have acknowledged it, the lease stands; filling may begin. */
    void joined(long epoch);

    /** The epoch is over (fenced, lease lost, left): everything cached goes, every ticket is void. Before this returns. */
    void ended(long epoch);

    /** This instance has ended the epoch of another, which had gone or did not answer. */
    default void fenced(Member member) {}

    /**
     * A newcomer has come into the view: every round that begins from now on includes it.
     *
     * @return completes when what was begun without it, and goes on without a round, has ended
     */
    CompletionStage<Void> greeted();

    /**
     * Invalidates, voids tickets, then, for prefixes, waits for the drain.
     *
     * @return completes with true when drained; the invalidation itself is done before this returns
     */
    CompletionStage<Void> invalidate(Invalidation invalidation);
}
