package io.lambdafs.functions.coherence;

import io.lambdafs.coordinator.InstanceSession;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.SessionListener;
import io.lambdafs.functions.cache.PathTrie;
import io.lambdafs.functions.inflight.InFlight;
import io.lambdafs.functions.metrics.Telemetry;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.time.Scheduler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Sends invalidation rounds as a leader and handles those of other instances. Targets are computed from the members
 * when a round begins, after the leader has acquired its locks: an instance that joins later reads the committed state.
 * Thread-safe.
 */
public final class Coherence implements SessionListener {
    private final PathTrie trie;
    private final InFlight inFlight;
    /** Changes being committed without a round. Bounded by the operations in flight, each of which has at most one. */
    private final InFlight unshared = new InFlight(Integer.MAX_VALUE);

    private final Scheduler scheduler;
    private final Telemetry telemetry;
    private volatile @Nullable InstanceSession session;

    public Coherence(PathTrie trie, InFlight inFlight, Scheduler scheduler, Telemetry telemetry) {
        this.trie = trie;
        this.inFlight = inFlight;
        this.scheduler = scheduler;
        this.telemetry = telemetry;
    }

    /** Attaches the session; called once, before it joins. */
    public void attach(InstanceSession attached) {
        session = attached;
    }

    private InstanceSession session() {
        InstanceSession attached = session;
        if (attached == null) {
            throw new IllegalStateException("no session is attached");
        }
        return attached;
    }

    /**
     * Returns the other members that an operation begun under an epoch must consider. Fails once that epoch has ended:
     * the view then belongs to another epoch or to none, and would lack members that cache what the operation changes,
     * while its epoch's row may still exist.
     */
    private List<Member> others(long epoch) {
        InstanceSession current = session();
        // On the path of every write: no streams.
        List<Member> others = new ArrayList<>();
        for (Member member : current.view().members().values()) {
            if (member.epoch() != epoch) {
                others.add(member);
            }
        }
        others.sort(Comparator.comparingLong(Member::epoch));
        if (!current.isLive(epoch)) {
            throw new FsException(ErrorCode.FENCED, "epoch " + epoch + " ended under the operation: ask again");
        }
        return others;
    }

    /**
     * Runs a round for single INodes with the members of the deployments that cache them. Completes when no instance
     * holds old values.
     *
     * @param epoch that the operation began under; throws {@code FENCED} if it is over
     */
    public CompletionStage<Void> round(long epoch, Scope scope) {
        List<Member> targets = holders(epoch, scope);
        if (targets.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        long began = scheduler.nanoTime();
        return session()
                .invalidate(targets, new Invalidation(epoch, scope, List.of()))
                .whenComplete((done, error) -> telemetry.round(targets.size(), scheduler.nanoTime() - began));
    }

    /** Returns the other members that may cache anything in the scope. */
    private List<Member> holders(long epoch, Scope scope) {
        // Read first: it belongs to the epoch if the epoch is still live afterwards.
        Placement placement = session().placement();
        List<Member> others = others(epoch);
        if (others.isEmpty()) {
            return others;
        }
        Set<Integer> deployments = new HashSet<>();
        scope.entries().forEach(path -> deployments.add(placement.owner(path)));
        scope.listings().forEach(directory -> deployments.add(placement.ofChildren(directory)));
        others.removeIf(member -> !member.caches() || !deployments.contains(member.deployment()));
        return others;
    }

    /**
     * Permits a commit without a round if no other member may cache what it changes. A newcomer is not acknowledged,
     * and so caches nothing, until the change is over.
     *
     * @param epoch that the operation began under; throws {@code FENCED} if it is over
     * @return a handle to end when the change is over; null if other members must be invalidated
     */
    public InFlight.@Nullable Handle beginUnshared(long epoch, Scope scope) {
        // Counted before reading the view: a newcomer missing from the view greets later and waits.
        InFlight.Handle counted = unshared.begin(FsPath.ROOT, null);
        boolean granted = false;
        try {
            granted = holders(epoch, scope).isEmpty();
        } finally {
            if (!granted) {
                counted.end();
            }
        }
        return granted ? counted : null;
    }

    @Override
    public void fenced(Member member) {
        telemetry.fenced();
    }

    @Override
    public boolean caches() {
        return trie.caches();
    }

    @Override
    public CompletionStage<Void> greeted() {
        return unshared.drained(List.of(FsPath.ROOT));
    }

    /**
     * Runs a round for subtrees with every live instance, this one first. Completes when all have drained.
     *
     * @param epoch that the operation began under; throws {@code FENCED} if it is over
     */
    public CompletionStage<Void> prefixRound(long epoch, List<FsPath> prefixes) {
        List<Member> targets = others(epoch);
        long began = scheduler.nanoTime();
        Invalidation invalidation = new Invalidation(epoch, Scope.NONE, prefixes);
        CompletionStage<Void> own = invalidate(invalidation);
        CompletionStage<Void> others = targets.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : session().invalidate(targets, invalidation);
        return own.thenCompose(drained -> others)
                .whenComplete((done, error) -> telemetry.subtreeRound(targets.size(), scheduler.nanoTime() - began));
    }

    /** Checks that a member responds, by an empty INV; a member that does not acknowledge is fenced. */
    public CompletionStage<Void> probe(long epoch) {
        InstanceSession current = session();
        Member member = current.view().members().get(epoch);
        long own = current.epoch();
        return probe(member == null || epoch == own ? List.of() : List.of(member), own);
    }

    /** Probes every other member as {@link #probe} does one. Completes at once if there are none. */
    public CompletionStage<Void> probeOthers() {
        InstanceSession current = session();
        long epoch = current.epoch();
        List<Member> others = current.view().members().values().stream()
                .filter(member -> member.epoch() != epoch)
                .toList();
        return probe(epoch == 0 ? List.of() : others, epoch);
    }

    private CompletionStage<Void> probe(List<Member> members, long epoch) {
        return members.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : session().invalidate(members, new Invalidation(epoch, Scope.NONE, List.of()));
    }

    @Override
    public CompletionStage<Void> invalidate(Invalidation invalidation) {
        trie.invalidate(invalidation.scope(), invalidation.prefixes());
        return invalidation.prefixes().isEmpty()
                ? CompletableFuture.completedFuture(null)
                : inFlight.drained(invalidation.prefixes());
    }

    @Override
    public void joined(long epoch) {
        trie.open();
    }

    @Override
    public void ended(long epoch) {
        trie.clear();
    }
}
