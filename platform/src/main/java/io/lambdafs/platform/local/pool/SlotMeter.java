package io.lambdafs.platform.local.pool;

/**
 * Counts the milliseconds with at least one request in service: the union of the 1 ms slots that the requests'
 * intervals touch, as the paper bills an instance (§5.2.5). Not thread-safe; times must not run backwards.
 */
public final class SlotMeter {
    private static final long NANOS_PER_SLOT = 1_000_000;

    private int open;
    private long firstSlot;
    private long nextFreeSlot = Long.MIN_VALUE;
    private long billed;

    /** Notes the start of a request. */
    public void begin(long nanoTime) {
        if (open == 0) {
            firstSlot = Math.max(slot(nanoTime), nextFreeSlot);
        }
        open++;
    }

    /** Notes the end of a request. */
    public void end(long nanoTime) {
        if (open == 0) {
            throw new IllegalStateException("no request is being served");
        }
        open--;
        if (open == 0) {
            long next = Math.max(slot(nanoTime) + 1, firstSlot);
            billed += next - firstSlot;
            nextFreeSlot = next;
        }
    }

    /** Returns the slots counted so far, in milliseconds; those of running requests count up to now. */
    public long billedMillis(long nanoTime) {
        return open == 0 ? billed : billed + Math.max(0, slot(nanoTime) + 1 - firstSlot);
    }

    private static long slot(long nanoTime) {
        return Math.floorDiv(nanoTime, NANOS_PER_SLOT);
    }
}
