package io.lambdafs.coordinator;

import io.lambdafs.model.Placement;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * One instance's life under one epoch after another (PROTOCOL: E1, E2, E3, E4). Thread-safe; {@link #epoch},
 * {@link #isLive} and {@link #view} are cheap enough for every request.
 */
public interface InstanceSession extends AutoCloseable {
    /**
     * Joins: takes an epoch from the store, watches, registers, lists, greets every live member and fences those that do not answer.
     * While an epoch is live or a join runs, returns that. After the epoch ended by a fence or a lost lease the session joins again
     * by itself until {@link #leave}.
     *
     * @return the epoch, live
     */
    CompletionStage<Long> join();

    /** The current epoch; 0 when there is none that has joined. */
    long epoch();

    /** The lease check: this epoch is the current one, has joined, and its lease has not run out (monotonic clock). */
    boolean isLive(long epoch);

    /** Why no epoch has been live for longer than that; empty where one is, or was more recently. */
    Optional<String> outage(Duration longerThan);

    /**
     * This instance's epoch if it leads the others in chores that one should do alone, else 0. The leader is the live member with
     * the lowest epoch, as in HopsFS (its thesis, §4.1.8), and there is at most one at any moment: of two live instances each has
     * the other in its view, and a lease that has run out leads nobody. Another member leads when this one is over, which says so by
     * itself; what is done as a leader is still done under its epoch.
     */
    long leadingEpoch();

    /**
     * The deployments that the current epoch goes by; between two epochs those of the last one that was taken, or refused for want of such
     * a deployment. It is what it was for as long as an epoch {@link #isLive}.
     */
    Placement placement();

    /** A request was routed by a generation of deployments; where it is a later one, the session finds out, and joins anew. Never blocks. */
    void heardOf(int generation);

    /** The members as known here. */
    View view();

    /**
     * A round: sends an INV to each target (the instance itself is never among them) and completes when each has acknowledged, left,
     * or been fenced. A target that drains is asked again until the transaction limit, then the round fails with
     * {@code SUBTREE_BUSY}. Fails with {@code UNAVAILABLE} when a fence is needed and the coordinator or store cannot be reached.
     */
    CompletionStage<Void> invalidate(Collection<Member> targets, Invalidation invalidation);

    /** Fences a member: renewals refused, lease waited for, epoch killed in the store, forgotten. Idempotent. */
    CompletionStage<Void> fence(Member member);

    /** Tells the session that the store refused this epoch: it ends and the session joins again. */
    void fencedByStore(long epoch);

    /** Leaves in order: the epoch is killed in the store, then forgotten; no writer waits for this instance afterwards. */
    CompletionStage<Void> leave();

    @Override
    void close();
}
