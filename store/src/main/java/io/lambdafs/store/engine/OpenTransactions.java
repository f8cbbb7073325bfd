package io.lambdafs.store.engine;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The open transactions, oldest first; ends those that exceed the transaction limit. One timer serves all of them;
 * there is none while nothing is open. Thread-safe.
 */
final class OpenTransactions {
    private static final long MIN_REST_NANOS = 1_000_000;

    private final Scheduler scheduler;
    private final StoreLimits limits;
    private final Set<LockingTransaction> open = new LinkedHashSet<>();
    private boolean armed;

    OpenTransactions(Scheduler scheduler, StoreLimits limits) {
        this.scheduler = scheduler;
        this.limits = limits;
    }

    /** Adds a transaction; returns false if there are too many. */
    synchronized boolean add(LockingTransaction transaction) {
        if (open.size() >= limits.maxTransactions()) {
            return false;
        }
        if (!armed) {
            arm(limits.transactionLimit().toNanos());
        }
        open.add(transaction);
        return true;
    }

    synchronized void remove(LockingTransaction transaction) {
        open.remove(transaction);
    }

    synchronized int size() {
        return open.size();
    }

    synchronized List<LockingTransaction> matching(Predicate<LockingTransaction> condition) {
        return open.stream().filter(condition).toList();
    }

    static FsException tooLong(StoreLimits limits) {
        return new FsException(
                ErrorCode.STORE_CONFLICT,
                "the transaction took longer than " + limits.transactionLimit().toMillis()
                        + " ms and was aborted; try again");
    }

    private void arm(long delayNanos) {
        Scheduler.Essential look = this::expire;
        scheduler.schedule(Math.max(delayNanos, MIN_REST_NANOS), look);
        armed = true;
    }

    private void expire() {
        long limitNanos = limits.transactionLimit().toNanos();
        List<LockingTransaction> expired = new ArrayList<>();
        synchronized (this) {
            armed = false;
            long now = scheduler.nanoTime();
            for (LockingTransaction transaction : open) {
                long left = transaction.since() + limitNanos - now;
                if (left > 0) {
                    arm(left);
                    break;
                }
                expired.add(transaction);
            }
        }
        // A transaction that is committing stays without a timer: its engine ends it.
        for (LockingTransaction transaction : expired) {
            transaction.end(tooLong(limits));
        }
    }
}
