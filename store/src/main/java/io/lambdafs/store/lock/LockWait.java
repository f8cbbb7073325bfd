package io.lambdafs.store.lock;

import io.lambdafs.model.time.Scheduler;
import org.jspecify.annotations.Nullable;

/** A position in the queue of a key. Guarded by the mutex of its {@link LockTable}. */
final class LockWait {
    final LockRequest request;
    final LockedKey at;
    final boolean exclusive;
    /** Monotonic start of the wait, in nanoseconds. */
    final long since;

    @Nullable
    LockWait previous;

    @Nullable
    LockWait next;

    Scheduler.@Nullable Timer timer;

    LockWait(LockRequest request, LockedKey at, boolean exclusive, long since) {
        this.request = request;
        this.at = at;
        this.exclusive = exclusive;
        this.since = since;
    }
}
