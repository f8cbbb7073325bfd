package io.lambdafs.functions.serving;

import io.lambdafs.model.Scheduler;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Pay per use (the paper's §5.2.5): an instance is billed for the union of the 1 ms slots in which it served at least one request, by
 * HTTP or by TCP. Thread-safe, without a lock: begin and end are one compare-and-set each.
 */
public final class BillingMeter {
    private static final int ACTIVE_BITS = 20;
    private static final long ACTIVE_MASK = (1L << ACTIVE_BITS) - 1;

    private final Scheduler clock;
    private final long originNanos;
    private final LongAdder billed = new LongAdder();
    /**
     * The last slot that has been billed, and below it the number of requests under way: while that is not zero, every slot up to
     * the next change is billed.
     */
    private final AtomicLong state = new AtomicLong();

    public BillingMeter(Scheduler clock) {
        this.clock = clock;
        // One slot before the first, so that slot 0 means that nothing has been billed.
        this.originNanos = clock.nanoTime() - TimeUnit.MILLISECONDS.toNanos(1);
    }

    /** A request begins to be served; at most 1,048,575 at once. */
    public void begin() {
        change(1);
    }

    /** A request that began has been answered. */
    public void end() {
        change(-1);
    }

    private void change(int difference) {
        long slot = slot();
        while (true) {
            long old = state.get();
            long last = old >>> ACTIVE_BITS;
            long active = old & ACTIVE_MASK;
            long now = Math.max(last, slot);
            if (state.compareAndSet(old, (now << ACTIVE_BITS) | (active + difference))) {
                if (now > last) {
                    billed.add(active > 0 ? now - last : 1);
                }
                return;
            }
        }
    }

    /** Milliseconds billed so far; what is under way counts up to now. */
    public long billedMillis() {
        long now = state.get();
        long running = (now & ACTIVE_MASK) > 0 ? Math.max(0, slot() - (now >>> ACTIVE_BITS)) : 0;
        return billed.sum() + running;
    }

    private long slot() {
        return TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - originNanos);
    }
}
