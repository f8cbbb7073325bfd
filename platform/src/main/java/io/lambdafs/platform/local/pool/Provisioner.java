package io.lambdafs.platform.local.pool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Decides which instances to start, take from the prewarmed, reclaim or prepare in advance. It only reads and changes
 * {@link PoolState}. Guarded by the pool's lock.
 */
final class Provisioner {
    private static final long PREWARM_RETRY_NANOS = 2_000_000_000L;
    /**
     * Spares are started this long after an action was last given an instance: a start takes seconds of processor time, and
     * in a burst the instances that serve it need that more.
     */
    private static final long CALM_NANOS = 6_000_000_000L;

    private final PoolState state;
    private final PoolLimits limits;
    private long noPrewarmBeforeNanos;
    /** True if there is such a time. */
    private boolean prewarmWaits;

    Provisioner(PoolState state, PoolLimits limits) {
        this.state = state;
        this.limits = limits;
    }

    void prewarmFailed(long nowNanos) {
        waitToPrewarm(nowNanos, PREWARM_RETRY_NANOS);
    }

    /** Provides instances for waiting calls, longest wait first; then prepares spare ones. */
    void provide(long nowNanos) {
        List<ActionState> hungry = new ArrayList<>();
        for (ActionState each : state.actions()) {
            if (!each.waiting.isEmpty()) {
                hungry.add(each);
            }
        }
        hungry.sort(Comparator.comparingLong((ActionState each) -> each.waiting.element().arrivedNanos - nowNanos));
        int promised = 0;
        for (ActionState each : hungry) {
            promised = provideFor(each, promised, nowNanos);
        }
        growAhead(promised, nowNanos);
        trimPrewarmed();
        if (hungry.isEmpty()) {
            prewarm(nowNanos);
        }
    }

    /**
     * Provides for one action.
     *
     * @param promised memory of stopping instances that earlier actions wait for, MB
     * @return the same, plus this action's share
     */
    private int provideFor(ActionState action, int promised, long nowNanos) {
        int memory = action.memoryMb();
        int awaited = promised;
        int reserved = 0;
        while (action.wantsMoreThan(reserved)
                && action.live() + reserved < state.maxInstances()
                && action.mayStart(nowNanos)) {
            Optional<Instance> spare = spare(action);
            if (spare.isPresent() || state.freeMemoryMb() - awaited >= memory) {
                if (!give(action, spare, nowNanos)) {
                    break;
                }
            } else if (state.freeMemoryMb() + state.stoppingMemoryMb() - awaited >= memory) {
                awaited += memory;
                reserved++;
            } else {
                Optional<Instance> victim = victim(action, nowNanos);
                if (victim.isEmpty()) {
                    break;
                }
                state.stop(victim.get(), "reclaimed for " + action.name);
            }
        }
        return awaited;
    }

    /**
     * Starts one more instance where all of an action serve with more than their CPU share: they can for as long as a platform lets
     * them, and the new one is warm before that is over. Takes nothing from others.
     *
     * @param promised memory that actions with waiting calls wait for, MB
     */
    private void growAhead(int promised, long nowNanos) {
        for (ActionState each : state.actions()) {
            if (!each.removed
                    && each.live() < state.maxInstances()
                    && each.mayStart(nowNanos)
                    && each.isBeyondItsShare(nowNanos)) {
                Optional<Instance> spare = spare(each);
                if (spare.isPresent() || state.freeMemoryMb() - promised >= each.memoryMb()) {
                    give(each, spare, nowNanos);
                }
            }
        }
    }

    /** Gives an action a spare instance, else one that is started, for which there is memory; false where too many start already. */
    private boolean give(ActionState action, Optional<Instance> spare, long nowNanos) {
        if (spare.isEmpty() && state.count(Instance.Phase.STARTING) >= limits.startConcurrency()) {
            return false;
        }
        waitToPrewarm(nowNanos, CALM_NANOS);
        if (spare.isPresent()) {
            state.assign(spare.get(), action, nowNanos);
        } else {
            state.start(action.kind(), action.memoryMb(), Optional.of(action), nowNanos);
        }
        return true;
    }

    private void waitToPrewarm(long nowNanos, long nanos) {
        long until = nowNanos + nanos;
        if (!prewarmWaits || until - noPrewarmBeforeNanos > 0) {
            noPrewarmBeforeNanos = until;
        }
        prewarmWaits = true;
    }

    /** Returns a fitting prewarmed instance, one that has rehearsed if there is any, or else one being prewarmed. */
    private Optional<Instance> spare(ActionState action) {
        return state.instances().stream()
                .filter(each -> each.owner == null && action.matches(each))
                .filter(each -> each.phase == Instance.Phase.PREWARMED || each.phase == Instance.Phase.STARTING)
                .min(Comparator.comparing((Instance each) -> each.phase == Instance.Phase.STARTING)
                        .thenComparing(each -> each.ofSteadyCost().isEmpty())
                        .thenComparingLong(each -> each.createdNanos));
    }

    /**
     * Returns the instance whose memory to take: a prewarmed one that does not fit, else that of another action which
     * has been unneeded for longest. A recently needed one stays, unless the action has no instance at all: between two
     * invocations every instance is idle, and stopping and starting them in turn costs more than it serves (the paper's
     * thrashing, appendix C).
     */
    private Optional<Instance> victim(ActionState forWhom, long nowNanos) {
        long settledNanos = limits.keepAlive().toNanos() / 2;
        boolean urgent = forWhom.live() == 0;
        return state.instances().stream()
                .filter(each -> each.phase == Instance.Phase.PREWARMED
                        || (each.idle()
                                && each.owner != forWhom
                                && (urgent || nowNanos - each.unneededSinceNanos() >= settledNanos)))
                .min(Comparator.comparing((Instance each) -> each.phase != Instance.Phase.PREWARMED)
                        .thenComparing(each -> each.owner != null && each.owner.live() == 1)
                        .thenComparingLong(each -> each.unneededSinceNanos()));
    }

    private void trimPrewarmed() {
        for (Instance each : List.copyOf(state.instances())) {
            boolean spare = each.phase == Instance.Phase.PREWARMED;
            if (spare && state.actions().stream().noneMatch(action -> !action.removed && action.matches(each))) {
                state.stop(each, "no action of its kind and memory");
            }
        }
    }

    private void prewarm(long nowNanos) {
        if (prewarmWaits && nowNanos - noPrewarmBeforeNanos < 0) {
            return;
        }
        for (ActionState action : state.actions()) {
            while (!action.removed
                    && spares(action) < limits.prewarm()
                    && starts(nowNanos) < limits.startConcurrency()
                    && state.freeMemoryMb() >= action.memoryMb()) {
                prewarmWaits = false;
                state.start(action.kind(), action.memoryMb(), Optional.empty(), nowNanos);
            }
        }
    }

    /**
     * Returns the starts in progress; a start in advance also yields the processor to instances that initialise or owe
     * their first reply.
     */
    private long starts(long nowNanos) {
        return state.count(Instance.Phase.STARTING)
                + state.count(Instance.Phase.INITIALISING)
                + state.instances().stream()
                        .filter(each -> each.owesItsFirstReply(nowNanos))
                        .count();
    }

    private long spares(ActionState action) {
        return state.instances().stream()
                .filter(each -> each.owner == null && action.matches(each))
                .filter(each -> each.phase != Instance.Phase.STOPPING)
                .count();
    }
}
