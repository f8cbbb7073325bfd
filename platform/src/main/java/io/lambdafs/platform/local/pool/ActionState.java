package io.lambdafs.platform.local.pool;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The waiting calls, instances and totals of one action. Guarded by the pool's lock. */
final class ActionState {
    private static final long FIRST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int MAX_DOUBLINGS = 6;

    final String name;
    final Deque<Call> waiting = new ArrayDeque<>();
    final List<Instance> instances = new ArrayList<>();

    RegisteredAction action;
    boolean removed;
    int peakInstances;
    /** The work of ended instances. */
    UsageView.Deployment past = UsageView.Deployment.NONE;

    private int failedStarts;
    private long noStartBeforeNanos = Long.MIN_VALUE;

    ActionState(RegisteredAction action) {
        this.name = action.name();
        this.action = action;
    }

    int memoryMb() {
        return action.spec().limits().memoryMb();
    }

    String kind() {
        return action.spec().exec().kind();
    }

    boolean matches(Instance instance) {
        return instance.memoryMb == memoryMb() && instance.kind.equals(kind());
    }

    /** Returns the number of instances that are not stopping. */
    int live() {
        int count = 0;
        for (Instance each : instances) {
            count += each.phase == Instance.Phase.STOPPING ? 0 : 1;
        }
        return count;
    }

    /** Returns the number of instances that will take calls once ready. */
    int coming() {
        int count = 0;
        for (Instance each : instances) {
            boolean coming = each.phase == Instance.Phase.STARTING || each.phase == Instance.Phase.INITIALISING;
            count += coming ? 1 : 0;
        }
        return count;
    }

    /** Returns whether more calls wait than the coming instances and this many more have room for. */
    boolean wantsMoreThan(int reserved) {
        long room = (long) (coming() + reserved) * action.spec().limits().concurrency();
        return waiting.size() > room;
    }

    /** Returns whether all its instances serve with more than their CPU share. */
    boolean isBeyondItsShare(long nowNanos) {
        for (Instance each : instances) {
            if (each.phase != Instance.Phase.STOPPING && !each.isBeyondItsShare(nowNanos)) {
                return false;
            }
        }
        return live() > 0;
    }

    void adopt(Instance instance, long nowNanos) {
        instance.owner = this;
        instance.assignedNanos = nowNanos;
        instances.add(instance);
        peakInstances = Math.max(peakInstances, live());
    }

    boolean mayStart(long nowNanos) {
        return failedStarts == 0 || nowNanos - noStartBeforeNanos >= 0;
    }

    void startFailed(long nowNanos) {
        noStartBeforeNanos = nowNanos + (FIRST_RETRY_NANOS << Math.min(failedStarts, MAX_DOUBLINGS));
        failedStarts++;
    }

    void startSucceeded() {
        failedStarts = 0;
    }

    void gone(Instance instance, long nowNanos) {
        instances.remove(instance);
        past = past.plus(share(instance, nowNanos));
    }

    UsageView.Deployment usage(long nowNanos) {
        UsageView.Deployment sum =
                new UsageView.Deployment(live(), peakInstances, waiting.size(), 0, 0, 0, 0, 0).plus(past);
        for (Instance each : instances) {
            sum = sum.plus(share(each, nowNanos));
        }
        return sum;
    }

    private static UsageView.Deployment share(Instance instance, long nowNanos) {
        long billed = instance.billedMillis(nowNanos);
        long provisioned = instance.provisionedMillis(nowNanos);
        return new UsageView.Deployment(
                0,
                0,
                0,
                instance.activations,
                billed,
                billed * instance.memoryMb,
                provisioned,
                provisioned * instance.memoryMb);
    }
}
