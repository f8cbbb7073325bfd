package io.lambdafs.rpc.idle;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Decides whether to repeat an attempt that may fail: yes while recent attempts succeeded often enough, otherwise one
 * time in {@value #TRY_EVERY}, as a probe. An estimate: concurrent updates may be lost. Thread-safe.
 */
public final class Credit {
    public static final int TRY_EVERY = 32;

    private static final int MAX = 32;

    private final int success;
    private final AtomicInteger credit;
    private final AtomicInteger skipped = new AtomicInteger();

    private Credit(int success, int credit) {
        this.success = success;
        this.credit = new AtomicInteger(credit);
    }

    /**
     * Starts without credit: the first attempts are probes.
     *
     * @param success how many failures one success is worth
     */
    public static Credit none(int success) {
        return new Credit(success, 0);
    }

    /** Starts with full credit, as after a long run of successes. */
    public static Credit full(int success) {
        return new Credit(success, MAX);
    }

    /** Returns whether to try this time. After a try, the caller reports the result if it is known. */
    public boolean isWorthIt() {
        if (credit.get() > 0) {
            return true;
        }
        if (skipped.incrementAndGet() < TRY_EVERY) {
            return false;
        }
        skipped.set(0);
        return true;
    }

    public void succeeded() {
        credit.set(Math.min(MAX, credit.get() + success));
    }

    public void failed() {
        credit.set(Math.max(0, credit.get() - 1));
    }
}
