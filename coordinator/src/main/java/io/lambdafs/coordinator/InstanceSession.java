package io.lambdafs.coordinator;

import io.lambdafs.model.operation.Placement;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * An instance's membership through successive epochs: join, renew, fence, leave (PROTOCOL: E1, E2, E3, E4).
 * Thread-safe; {@link #epoch}, {@link #isLive} and {@link #view} are cheap enough for every request.
 */
public interface InstanceSession extends AutoCloseable {
    /**
     * Joins: takes an epoch from the store, watches, registers, lists, greets every live member and fences those that
     * do not answer. If an epoch is live or a join is running, returns that. After an epoch ends by a fence or a lost
     * lease, the session rejoins automatically until {@link #leave}.
     *
     * @return the epoch, live
     */
    CompletionStage<Long> join();

    /** Returns the current epoch; 0 if none has joined. */
    long epoch();

    /**
     * Returns whether this epoch is the current one, has joined, and holds an unexpired lease (monotonic clock): the
     * lease check.
     */
    boolean isLive(long epoch);

    /** Returns why no epoch has been live for longer than a time; empty if one is or recently was. */
    Optional<String> outage(Duration longerThan);

    /**
     * Returns this instance's epoch if it is the leader for chores that only one instance should do, else 0. The leader
     * is the live member with the lowest epoch, as in HopsFS (its thesis, §4.1.8). There is at most one at any moment:
     * of two live instances each has the other in its view, and an instance with an expired lease is not a leader. When
     * this epoch ends, another member takes over; a leader's work is still done under its epoch.
     */
    long leadingEpoch();

    /**
     * Returns the placement of the current epoch; between epochs, that of the last one taken, or refused because its
     * deployment does not exist. Constant while an epoch {@link #isLive}.
     */
    Placement placement();

    /**
     * Notes the deployment generation that a request was routed by; if it is newer, the session checks the store and
     * rejoins. Never blocks.
     */
    void heardOf(int generation);

    /** Returns the members as known here. */
    View view();

    /**
     * Runs a round: sends an INV to each target (never the instance itself) and completes when each has acknowledged,
     * left, or been fenced. A draining target is asked again until the transaction limit, then the round fails with
     * {@code SUBTREE_BUSY}. Fails with {@code UNAVAILABLE} if a fence is needed and the coordinator or store cannot be
     * reached.
     */
    CompletionStage<Void> invalidate(Collection<Member> targets, Invalidation invalidation);

    /**
     * Fences a member: refuses its renewals, waits for its lease, kills its epoch in the store, and removes it.
     * Idempotent.
     */
    CompletionStage<Void> fence(Member member);

    /** Reports that the store refused this epoch: it ends, and the session rejoins. */
    void fencedByStore(long epoch);

    /**
     * Leaves in order: kills the epoch in the store, then removes the member; no writer waits for this instance
     * afterwards.
     */
    CompletionStage<Void> leave();

    @Override
    void close();
}
