package io.lambdafs.hammer.trace;

import io.lambdafs.hammer.workload.OperationKind;
import io.lambdafs.model.FsPath;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Keeps operations of a trace that meet at a path in the trace's order: an operation starts when earlier changes of its
 * paths, and of directories above them, have ended; a change also waits for reads of its paths, and a move or removal
 * for everything below. All others overlap. Confined to one thread.
 */
final class PathOrder {
    /** An operation from its arrival to its end. */
    static final class Step {
        final TraceRecord record;
        final long intendedNanos;
        private final Set<Step> followers = new LinkedHashSet<>();
        private int waitsFor;

        Step(TraceRecord record, long intendedNanos) {
            this.record = record;
            this.intendedNanos = intendedNanos;
        }

        private List<FsPath> paths() {
            FsPath destination = record.destination();
            return destination == null ? List.of(record.path()) : List.of(record.path(), destination);
        }

        private boolean takesWhatIsBelow() {
            return record.kind() == OperationKind.MV || record.kind() == OperationKind.DELETE;
        }
    }

    private final Map<FsPath, Set<Step>> atPath = new HashMap<>();
    private final Set<Step> all = new LinkedHashSet<>();

    /** Adds an operation; returns true if it may start at once, else {@link #end} returns it later. */
    boolean add(Step step) {
        for (FsPath path : step.paths()) {
            follow(step, atPath.getOrDefault(path, Set.of()), step.record.isChange());
            for (int depth = path.depth() - 1; depth > 0; depth--) {
                follow(step, atPath.getOrDefault(path.ancestor(depth), Set.of()), false);
            }
            if (step.takesWhatIsBelow()) {
                followBelow(step, path);
            }
        }
        for (FsPath path : step.paths()) {
            atPath.computeIfAbsent(path, none -> new LinkedHashSet<>()).add(step);
        }
        all.add(step);
        return step.waitsFor == 0;
    }

    private static void follow(Step step, Collection<Step> earlier, boolean looksToo) {
        for (Step before : earlier) {
            if ((looksToo || before.record.isChange()) && before.followers.add(step)) {
                step.waitsFor++;
            }
        }
    }

    private void followBelow(Step step, FsPath path) {
        List<Step> below = new ArrayList<>();
        for (Step before : all) {
            for (FsPath other : before.paths()) {
                if (other.isAtOrBelow(path)) {
                    below.add(before);
                }
            }
        }
        follow(step, below, true);
    }

    /** Removes an ended operation; returns those that may start now. */
    List<Step> end(Step step) {
        all.remove(step);
        for (FsPath path : step.paths()) {
            Set<Step> there = atPath.get(path);
            if (there != null && there.remove(step) && there.isEmpty()) {
                atPath.remove(path);
            }
        }
        List<Step> free = new ArrayList<>();
        for (Step follower : step.followers) {
            if (--follower.waitsFor == 0) {
                free.add(follower);
            }
        }
        return free;
    }

    /** Returns the operations in flight and those that wait. */
    Set<Step> all() {
        return all;
    }

    int size() {
        return all.size();
    }
}
