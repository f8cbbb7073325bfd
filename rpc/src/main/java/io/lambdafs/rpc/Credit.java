package io.lambdafs.rpc;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether to do once more what may be in vain: as long as it lately succeeded often enough, else one time in {@value #TRY_EVERY}, to try.
 * An estimate: threads that change it at once may lose a change. Thread-safe.
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
     * Begins with tries.
     *
     * @param success how many failures one success is worth
     */
    public static Credit none(int success) {
        return new Credit(success, 0);
    }

    /** As {@link #none}, but begins as if it had long succeeded. */
    public static Credit full(int success) {
        return new Credit(success, MAX);
    }

    /** Whether to do it this time; who is told so says afterwards how it went, if he knows. */
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
