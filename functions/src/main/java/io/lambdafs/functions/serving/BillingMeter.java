package io.lambdafs.functions.serving;

import io.lambdafs.model.time.Scheduler;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Meters pay-per-use billing (the paper's §5.2.5): the union of the 1 ms slots in which an instance served at least one
 * request, by HTTP or TCP. Thread-safe and lock-free: begin and end are one compare-and-set each.
 */
public final class BillingMeter {
    private static final int ACTIVE_BITS = 20;
    private static final long ACTIVE_MASK = (1L << ACTIVE_BITS) - 1;

    private final Scheduler clock;
    private final long originNanos;
    private final LongAdder billed = new LongAdder();
    /**
     * The last billed slot (high bits) and the number of requests in progress (low bits): while that is not zero, every
     * slot up to the next change is billed.
     */
    private final AtomicLong state = new AtomicLong();

    public BillingMeter(Scheduler clock) {
        this.clock = clock;
        // One slot before the first, so that slot 0 means nothing billed.
        this.originNanos = clock.nanoTime() - TimeUnit.MILLISECONDS.toNanos(1);
    }

    /** Marks the start of a request; at most 1,048,575 at once. */
    public void begin() {
        change(1);
    }

    /** Marks the end of a request. */
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

    /** Returns the milliseconds billed so far, including requests in progress up to now. */
    public long billedMillis() {
        long now = state.get();
        long running = (now & ACTIVE_MASK) > 0 ? Math.max(0, slot() - (now >>> ACTIVE_BITS)) : 0;
        return billed.sum() + running;
    }

    private long slot() {
        return TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - originNanos);
    }
}
