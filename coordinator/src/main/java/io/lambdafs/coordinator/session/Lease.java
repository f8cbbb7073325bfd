package io.lambdafs.coordinator.session;

import io.lambdafs.model.time.Scheduler;

/**
 * Holds the instance's epoch and the time until which it may answer from its cache (PROTOCOL: E4). Thread-safe; reads
 * (several per request) are lock-free; changes are a few per second.
 */
final class Lease {
    /**
     * One epoch of this instance.
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
    /** Monotonic time at which the last joined epoch ended, or this object was created. */
    private volatile long liveBefore;

    Lease(Scheduler scheduler, long leaseNanos) {
        this.scheduler = scheduler;
        this.leaseNanos = leaseNanos;
        this.liveBefore = scheduler.nanoTime();
    }

    /** Begins to join under an epoch, which has no lease until it is confirmed. */
    synchronized void begin(long epoch) {
        tenure = new Tenure(epoch, false, 0);
    }

    /** Returns the current epoch, joined or still joining; 0 for none. */
    long current() {
        return tenure.epoch();
    }

    /** Returns the joined epoch; 0 for none. */
    long joined() {
        Tenure now = tenure;
        return now.joined() ? now.epoch() : 0;
    }

    boolean isLive(long epoch) {
        Tenure now = tenure;
        return now.joined() && now.epoch() == epoch && !lapsed(now);
    }

    /** Returns the nanoseconds without a live epoch; 0 or less while there is one. */
    long outageNanos() {
        // In this order: an epoch that ends meanwhile has already set the other field.
        Tenure now = tenure;
        return scheduler.nanoTime() - (now.joined() ? now.validUntil() : liveBefore);
    }

    /**
     * Returns the nanoseconds left of an epoch's lease; 0 or less if it has run out or the epoch is over or joining.
     */
    long remaining(long epoch) {
        Tenure now = tenure;
        return now.joined() && now.epoch() == epoch ? now.validUntil() - scheduler.nanoTime() : 0;
    }

    /**
     * Extends the lease, if the epoch has one, after a renewal sent at this moment succeeded.
     *
     * @return false if the lease had already lapsed: this process may have been frozen meanwhile, and the lease stays
     *     lost
     */
    synchronized boolean extend(long epoch, long sentAt) {
        Tenure now = tenure;
        if (now.epoch() != epoch || (now.joined() && lapsed(now))) {
            return false;
        }
        if (!now.joined()) {
            return true;
        }
        long until = sentAt + leaseNanos;
        // Renewals overlap: one sent earlier and answered later must not shorten the lease.
        if (until - now.validUntil() > 0) {
            tenure = new Tenure(epoch, true, until);
        }
        return true;
    }

    /**
     * Marks the join complete: the lease counts from when a renewal was sent that succeeded after all members had
     * acknowledged the epoch.
     *
     * @return false if the epoch is over, or that is longer ago than a lease
     */
    synchronized boolean confirm(long epoch, long sentAt) {
        Tenure joined = new Tenure(epoch, true, sentAt + leaseNanos);
        if (tenure.epoch() != epoch || lapsed(joined)) {
            return false;
        }
        tenure = joined;
        return true;
    }

    /** Ends an epoch: from now on none is live. Returns false if it was not the current one. */
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
