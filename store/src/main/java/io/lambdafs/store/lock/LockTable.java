package io.lambdafs.store.lock;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.LockMode;
import io.lambdafs.store.Read;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Shared and exclusive locks on keys, for transactions (the paper's §3.6, which leaves row locks to the store). Locks
 * are granted first come, first served: a request for a key that has a queue joins its end, so no request starves.
 * Locks are re-entrant and never upgraded. No thread blocks: a wait is a {@link CompletionStage}, bounded by a timer of
 * the scheduler. A request that would close a cycle of waits fails at once, so no deadlock ever forms.
 *
 * <p>A failed request ends its owner: all its locks are released before the failure is reported.
 *
 * <p>Thread-safe: one mutex guards everything, held for some microseconds at most. The stage of a request that had to
 * wait completes on the scheduler's executor, never under the mutex nor on the releasing owner's stack.
 */
public final class LockTable {
    /** A holder of locks, with one request at a time. Everything in it is guarded by the table's mutex. */
    public static final class Owner {
        final Map<Key, LockedKey.Hold> held = new HashMap<>(8);

        @Nullable
        LockWait waiting;

        private @Nullable Throwable over;

        private Owner() {}
    }

    /**
     * Statistics since the start.
     *
     * @param keys keys currently locked
     * @param waiting requests currently waiting
     * @param waits requests that had to wait for a lock
     * @param waitNanos sum of completed waits
     * @param timeouts waits that timed out
     * @param deadlocks requests refused because they would have closed a cycle
     */
    public record Statistics(int keys, int waiting, long waits, long waitNanos, long timeouts, long deadlocks) {}

    private final Scheduler scheduler;
    private final int maxWaitersPerKey;
    private final Object mutex = new Object();
    private final Map<Key, LockedKey> keys = new HashMap<>();
    /** Keys whose holders or queue changed, to be processed before the mutex is released. */
    private final Deque<LockedKey> changed = new ArrayDeque<>();

    private int waiting;
    private long waits;
    private long waitNanos;
    private long timeouts;
    private long deadlocks;

    /**
     * Creates an empty table.
     *
     * @param maxWaitersPerKey requests that may wait for one key; a further one fails with {@code STORE_CONFLICT}
     */
    public LockTable(Scheduler scheduler, int maxWaitersPerKey) {
        this.scheduler = scheduler;
        this.maxWaitersPerKey = maxWaitersPerKey;
    }

    public Owner owner() {
        return new Owner();
    }

    /**
     * Takes the locks of some reads sequentially in key order; a key named twice is locked once, in the stronger mode.
     * Reads with {@link LockMode#NONE} are skipped.
     *
     * @param limitNanos longest wait for each lock; negative fails instead of waiting
     * @return completes when all are held; fails with {@code STORE_CONFLICT} (limit, deadlock, too many waiters), with an
     *     {@code IllegalArgumentException} (a shared lock cannot become exclusive), or with what ended the owner
     */
    public CompletionStage<Void> acquire(Owner owner, List<Read> reads, long limitNanos) {
        LockRequest request = new LockRequest(owner, LockOrder.of(reads), limitNanos);
        List<Runnable> told = new ArrayList<>(0);
        synchronized (mutex) {
            if (owner.over != null) {
                return CompletableFuture.failedFuture(owner.over);
            }
            if (owner.waiting != null) {
                return CompletableFuture.failedFuture(
                        new IllegalStateException("a transaction makes one call at a time"));
            }
            Throwable refused = advance(request);
            if (refused != null) {
                end(owner, refused);
                settle(told);
                request.result.completeExceptionally(refused);
            } else if (owner.waiting == null) {
                request.result.complete(null);
            }
        }
        tell(told);
        return request.result;
    }

    /** Releases all locks of an owner and ends it. Idempotent. */
    public void release(Owner owner) {
        abort(owner, new FsException(ErrorCode.STORE_CONFLICT, "the transaction has ended; begin another one"));
    }

    /** Releases all locks of an owner and fails its current wait and all its later requests with the given reason. */
    public void abort(Owner owner, Throwable why) {
        List<Runnable> told = new ArrayList<>(0);
        synchronized (mutex) {
            if (owner.over != null) {
                return;
            }
            LockWait wait = owner.waiting;
            end(owner, why);
            if (wait != null) {
                told.add(() -> wait.request.result.completeExceptionally(why));
            }
            settle(told);
        }
        tell(told);
    }

    /** Returns the mode in which an owner holds a key. */
    public LockMode held(Owner owner, Key key) {
        synchronized (mutex) {
            LockedKey.Hold hold = owner.held.get(key);
            return hold == null ? LockMode.NONE : hold.exclusive() ? LockMode.EXCLUSIVE : LockMode.SHARED;
        }
    }

    public Statistics statistics() {
        synchronized (mutex) {
            return new Statistics(keys.size(), waiting, waits, waitNanos, timeouts, deadlocks);
        }
    }

    /**
     * Takes as many locks as are available and queues the request for the next one. Returns the reason if it is
     * refused, else null.
     */
    private @Nullable Throwable advance(LockRequest request) {
        Owner owner = request.owner;
        while (request.next < request.locks.size()) {
            Read wanted = request.locks.get(request.next);
            boolean exclusive = wanted.lock() == LockMode.EXCLUSIVE;
            LockedKey.Hold hold = owner.held.get(wanted.key());
            if (hold != null) {
                if (exclusive && !hold.exclusive()) {
                    return new IllegalArgumentException(
                            "a shared lock cannot become exclusive, take the stronger one first: " + wanted.key());
                }
            } else {
                LockedKey at = keys.computeIfAbsent(wanted.key(), LockedKey::new);
                if (at.head != null || !at.admits(exclusive)) {
                    return enqueue(new LockWait(request, at, exclusive, scheduler.nanoTime()));
                }
                at.grant(owner, exclusive);
            }
            request.next++;
        }
        return null;
    }

    private @Nullable Throwable enqueue(LockWait wait) {
        Owner owner = wait.request.owner;
        Key key = wait.at.key;
        if (wait.request.waitNanos < 0) {
            return conflict(key + " is locked");
        }
        if (wait.at.waiters >= maxWaitersPerKey) {
            return conflict(maxWaitersPerKey + " transactions wait for " + key + " already; try again later");
        }
        if (WaitGraph.closesCycle(wait)) {
            deadlocks++;
            return conflict("waiting for " + key + " would be a deadlock; try again");
        }
        try {
            wait.timer = scheduler.schedule(wait.request.waitNanos, () -> expire(wait));
        } catch (RuntimeException e) {
            return e;
        }
        wait.at.enqueue(wait);
        owner.waiting = wait;
        waiting++;
        waits++;
        return null;
    }

    private void expire(LockWait wait) {
        Owner owner = wait.request.owner;
        List<Runnable> told = new ArrayList<>(1);
        synchronized (mutex) {
            if (owner.waiting != wait) {
                return;
            }
            timeouts++;
            FsException why = conflict(
                    "no lock on " + wait.at.key + " within " + wait.request.waitNanos / 1_000_000 + " ms; try again");
            end(owner, why);
            told.add(() -> wait.request.result.completeExceptionally(why));
            settle(told);
        }
        tell(told);
    }

    /** Releases everything of an owner; {@link #settle} then processes the keys it held or waited for. */
    private void end(Owner owner, Throwable why) {
        owner.over = why;
        LockWait wait = owner.waiting;
        if (wait != null) {
            wait.at.unlink(wait);
            stopWaiting(wait);
            changed.add(wait.at);
        }
        for (LockedKey.Hold hold : owner.held.values()) {
            hold.at().holders.remove(owner);
            changed.add(hold.at());
        }
        owner.held.clear();
    }

    private void stopWaiting(LockWait wait) {
        wait.request.owner.waiting = null;
        waiting--;
        waitNanos += scheduler.nanoTime() - wait.since;
        if (wait.timer != null) {
            wait.timer.cancel();
        }
    }

    private void settle(List<Runnable> told) {
        for (LockedKey at = changed.poll(); at != null; at = changed.poll()) {
            for (LockWait head = at.head; head != null && at.admits(head.exclusive); head = at.head) {
                at.unlink(head);
                stopWaiting(head);
                LockRequest request = head.request;
                at.grant(request.owner, head.exclusive);
                request.next++;
                Throwable refused = advance(request);
                if (refused != null) {
                    end(request.owner, refused);
                    told.add(() -> request.result.completeExceptionally(refused));
                } else if (request.owner.waiting == null) {
                    told.add(() -> request.result.complete(null));
                }
            }
            if (at.holders.isEmpty() && at.head == null) {
                keys.remove(at.key, at);
            }
        }
    }

    private void tell(List<Runnable> told) {
        for (Runnable one : told) {
            Handover.to(scheduler, one);
        }
    }

    private static FsException conflict(String message) {
        return new FsException(ErrorCode.STORE_CONFLICT, message);
    }
}
