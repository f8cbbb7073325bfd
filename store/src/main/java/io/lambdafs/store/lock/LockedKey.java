package io.lambdafs.store.lock;

import io.lambdafs.store.Key;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The holders and the wait queue of a locked key. Guarded by the mutex of its {@link LockTable}. */
final class LockedKey {
    /** One owner's hold on a key. */
    record Hold(LockedKey at, boolean exclusive) {}

    final Key key;
    final Set<LockTable.Owner> holders = new HashSet<>(4);
    boolean exclusive;

    @Nullable
    LockWait head;

    @Nullable
    LockWait tail;

    int waiters;

    LockedKey(Key key) {
        this.key = key;
    }

    /** Returns whether one more holder is compatible with all present ones. */
    boolean admits(boolean wantsExclusive) {
        return holders.isEmpty() || (!wantsExclusive && !exclusive);
    }

    void grant(LockTable.Owner owner, boolean asExclusive) {
        holders.add(owner);
        exclusive = asExclusive;
        owner.held.put(key, new Hold(this, asExclusive));
    }

    void enqueue(LockWait wait) {
        wait.previous = tail;
        if (tail == null) {
            head = wait;
        } else {
            tail.next = wait;
        }
        tail = wait;
        waiters++;
    }

    void unlink(LockWait wait) {
        if (wait.previous == null) {
            head = wait.next;
        } else {
            wait.previous.next = wait.next;
        }
        if (wait.next == null) {
            tail = wait.previous;
        } else {
            wait.next.previous = wait.previous;
        }
        waiters--;
    }
}
