package io.lambdafs.store.lock;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The graph of waits in the queues of a {@link LockTable}: a waiter waits for the one before it and for the holders
 * that it conflicts with. Locks granted at once or to the head of a queue add no new edge, so it is enough to search
 * when a wait begins. Used for one search; guarded by the table's mutex.
 */
final class WaitGraph {
    private final Set<LockTable.Owner> seen = new HashSet<>();
    private final Set<LockedKey> expanded = new HashSet<>();
    private final Deque<LockTable.Owner> open = new ArrayDeque<>();

    private WaitGraph() {}

    /** Returns whether queueing a wait would make its owner wait for itself. */
    static boolean closesCycle(LockWait wait) {
        LockTable.Owner owner = wait.request.owner;
        return blocksAnybody(owner) && new WaitGraph().reaches(wait, owner);
    }

    private static boolean blocksAnybody(LockTable.Owner owner) {
        for (LockedKey.Hold hold : owner.held.values()) {
            if (hold.at().head != null) {
                return true;
            }
        }
        return false;
    }

    private boolean reaches(LockWait from, LockTable.Owner goal) {
        addBlockers(from, from.at.tail);
        for (LockTable.Owner next = open.poll(); next != null; next = open.poll()) {
            if (next == goal) {
                return true;
            }
            if (next.waiting != null && seen.add(next)) {
                addBlockers(next.waiting, next.waiting.previous);
            }
        }
        return false;
    }

    private void addBlockers(LockWait wait, @Nullable LockWait before) {
        if (before != null) {
            open.add(before.request.owner);
        }
        // The preceding wait may soon join the holders, but this wait still waits for them too.
        if (!wait.at.admits(wait.exclusive) && expanded.add(wait.at)) {
            open.addAll(wait.at.holders);
        }
    }
}
