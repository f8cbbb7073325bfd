package io.lambdafs.coordinator.session;

import io.lambdafs.coordinator.InstanceIdentity;
import io.lambdafs.coordinator.InstanceSession;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.SessionListener;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.operation.Placement;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * An instance's membership through successive epochs (PROTOCOL: E1, E2, E3, E4; the paper's §3.5). {@link SessionLife}
 * implements the states; this class is the NameNode's interface to it.
 *
 * <p>Thread-safe. The methods used by every request ({@link #epoch}, {@link #isLive}, {@link #view}) are lock-free, and
 * rounds run concurrently with state changes.
 */
public final class EpochSession implements InstanceSession {
    private final SessionContext context;
    private final SessionMembers members;
    private final SessionLife life;

    public EpochSession(InstanceIdentity self, SessionContext context) {
        this.context = context;
        Lease lease = new Lease(context.scheduler(), context.times().held().toNanos());
        Roster roster = new Roster();
        this.members = new SessionMembers(lease, roster, new Fence(context, roster, this::fenced));
        this.life = new SessionLife(self, context, members);
    }

    private void fenced(Member member) {
        life.fenced(member);
    }

    /** Sets the listener for epochs and INVs; once, before the first {@link #join}. */
    public void attach(SessionListener instance) {
        life.attach(instance);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The stage belongs to the current or next attempt: if it fails, the stage fails with its reason, and the
     * session keeps trying, after a backoff of at most {@link Backoff#LONGEST}, until {@link #leave}.
     */
    @Override
    public CompletionStage<Long> join() {
        return life.join();
    }

    @Override
    public long epoch() {
        return members.lease().joined();
    }

    @Override
    public boolean isLive(long epoch) {
        return members.lease().isLive(epoch);
    }

    @Override
    public Optional<String> outage(Duration longerThan) {
        long nanos = members.lease().outageNanos();
        return nanos <= longerThan.toNanos()
                ? Optional.empty()
                : Optional.of("no lease for " + TimeUnit.NANOSECONDS.toSeconds(nanos) + " s: " + life.hindrance());
    }

    @Override
    public long leadingEpoch() {
        return members.leadingEpoch();
    }

    @Override
    public Placement placement() {
        return life.generations().current();
    }

    @Override
    public void heardOf(int generation) {
        if (generation > placement().generation()) {
            life.generations().ask();
        }
    }

    @Override
    public View view() {
        return members.roster().view();
    }

    @Override
    public CompletionStage<Void> invalidate(Collection<Member> targets, Invalidation invalidation) {
        Round round = new Round(
                context,
                members,
                context.times().ackWait().toNanos(),
                (target, timeoutNanos) -> context.channel().invalidate(target, invalidation, timeoutNanos));
        return round.run(targets, members.roster().view().absent());
    }

    @Override
    public CompletionStage<Void> fence(Member member) {
        return members.fence().member(member, Fence.Grace.LEASE);
    }

    @Override
    public void fencedByStore(long epoch) {
        life.lost(epoch, "the store refused it: another instance fenced this one");
    }

    @Override
    public CompletionStage<Void> leave() {
        return life.leave();
    }

    /** Ends the epoch at once and permanently, without notifying others: for an orderly end, {@link #leave} first. */
    @Override
    public void close() {
        life.close();
    }
}
