package io.lambdafs.coordinator.session;

import io.lambdafs.model.Scheduler;

/**
 * Holds the instance's epoch and the time until which it may answer from its cache (PROTOCOL: E4). Thread-safe; reads, which are
 * several per request, are lock-free; changes are a few per second.
 */
final class Lease {
    /**
     * One epoch here.
     *
     * @param epoch 0 for none
     * @param joined whether every member has acknowledged it
     * @param validUntil monotonic nanoseconds
     */
    private record Tenure(long epoch, boolean joined, long validUntil) {
        static final Tenure NONE = new Tenure(0, false, 0);
    }

    private final Scheduler scheduler;
    private final long leaseNanos;
    private volatile Tenure tenure = Tenure.NONE;
    /** When the last epoch that had joined ended, or this began; monotonic. */
    private volatile long liveBefore;

    Lease(Scheduler scheduler, long leaseNanos) {
        this.scheduler = scheduler;
        this.leaseNanos = leaseNanos;
        this.liveBefore = scheduler.nanoTime();
    }

    /** A new epoch whose registration is sent at this moment: the lease counts from here, not from the answer. */
    synchronized void begin(long epoch, long sentAt) {
        tenure = new Tenure(epoch, false, sentAt + leaseNanos);
    }

    /** The epoch that this instance stands under, joined or still joining; 0 for none. */
    long current() {
        return tenure.epoch();
    }

    /** The epoch that has joined; 0 for none. */
    long joined() {
        Tenure now = tenure;
        return now.joined() ? now.epoch() : 0;
    }

    boolean isLive(long epoch) {
        Tenure now = tenure;
        return now.joined() && now.epoch() == epoch && !lapsed(now);
    }

    /** Nanoseconds for which nothing has been live here; 0 or less while something is. */
    long outageNanos() {
        // In this order: one that ends meanwhile has set the other before.
        Tenure now = tenure;
        return scheduler.nanoTime() - (now.joined() ? now.validUntil() : liveBefore);
    }

    /** Nanoseconds left of this epoch's lease; 0 or less when it has run out or the epoch is over. */
    long remaining(long epoch) {
        Tenure now = tenure;
        return now.epoch() == epoch ? now.validUntil() - scheduler.nanoTime() : 0;
    }

    /**
     * A renewal succeeded that was sent at this moment.
     *
     * @return false if it came after the lease had lapsed: this process may have been frozen meanwhile, and the lease stays lost
     */
    synchronized boolean extend(long epoch, long sentAt) {
        Tenure now = tenure;
        if (now.epoch() != epoch || lapsed(now)) {
            return false;
        }
        long until = sentAt + leaseNanos;
        // Renewals overlap: one that was sent earlier and answered later must not shorten the lease.
        if (until - now.validUntil() > 0) {
            tenure = new Tenure(epoch, now.joined(), until);
        }
        return true;
    }

    /** The join is complete; false if the epoch is over or its lease lapsed meanwhile. */
    synchronized boolean confirm(long epoch) {
        Tenure now = tenure;
        if (now.epoch() != epoch || lapsed(now)) {
            return false;
        }
        tenure = new Tenure(epoch, true, now.validUntil());
        return true;
    }

    /** Ends this epoch: from now on nothing is live. False if it was not the current one. */
    synchronized boolean end(long epoch) {
        if (epoch == 0 || tenure.epoch() != epoch) {
            return false;
        }
        if (tenure.joined()) {
            liveBefore = lapsed(tenure) ? tenure.validUntil() : scheduler.nanoTime();
        }
        tenure = Tenure.NONE;
        return true;
    }

    private boolean lapsed(Tenure now) {
        return now.validUntil() - scheduler.nanoTime() <= 0;
    }
}
