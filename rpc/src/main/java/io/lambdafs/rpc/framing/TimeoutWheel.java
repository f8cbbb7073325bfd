package io.lambdafs.rpc.framing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The timeouts of all requests of one loop: a hashed wheel of intrusive lists, so adding and removing are a few writes
 * without allocation. Ticks only while requests are pending; a request times out at most two ticks late. Confined to
 * its loop.
 */
final class TimeoutWheel {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int SLOTS = 1_024;
    /** Maximum timeout; longer ones are reduced to it. */
    private static final long MAX_NANOS = TimeUnit.DAYS.toNanos(1);

    private final LoopResources.Alarm alarm;
    private final LongSupplier nanoTime;
    private final Consumer<PendingRequest> timedOut;
    private final @Nullable PendingRequest[] slots = new PendingRequest[SLOTS];
    private final List<PendingRequest> due = new ArrayList<>();
    private final long startNanos;
    private long currentTick;
    private int waiting;
    private boolean ticking;

    TimeoutWheel(LoopResources.Alarm alarm, LongSupplier nanoTime, Consumer<PendingRequest> timedOut) {
        this.alarm = alarm;
        this.nanoTime = nanoTime;
        this.timedOut = timedOut;
        startNanos = nanoTime.getAsLong();
    }

    /**
     * Enters a request.
     *
     * @param nowNanos monotonic time, read by the caller once per batch
     */
    void add(PendingRequest request, long nowNanos) {
        long elapsed = nowNanos - startNanos;
        if (waiting == 0) {
            currentTick = Math.max(currentTick, elapsed / TICK_NANOS);
        }
        long timeout = Math.min(Math.max(request.timeoutNanos, 0), MAX_NANOS);
        // The first tick that begins after the timeout.
        request.dueTick = Math.max((elapsed + timeout) / TICK_NANOS, currentTick) + 1;
        int slot = (int) request.dueTick & (SLOTS - 1);
        PendingRequest head = slots[slot];
        request.earlier = null;
        request.later = head;
        if (head != null) {
            head.earlier = request;
        }
        slots[slot] = request;
        request.timed = true;
        waiting++;
        if (!ticking) {
            ticking = true;
            alarm.after(TICK_NANOS, this::tick);
        }
    }

    /** Removes a request if present. */
    void remove(PendingRequest request) {
        if (!request.timed) {
            return;
        }
        PendingRequest before = request.earlier;
        PendingRequest after = request.later;
        if (before == null) {
            slots[(int) request.dueTick & (SLOTS - 1)] = after;
        } else {
            before.later = after;
        }
        if (after != null) {
            after.earlier = before;
        }
        request.earlier = null;
        request.later = null;
        request.timed = false;
        waiting--;
    }

    private void tick() {
        long nowTick = (nanoTime.getAsLong() - startNanos) / TICK_NANOS;
        long passed = Math.min(nowTick - currentTick, SLOTS);
        for (long tick = nowTick - passed + 1; tick <= nowTick; tick++) {
            collect((int) tick & (SLOTS - 1), nowTick);
        }
        currentTick = Math.max(currentTick, nowTick);
        // Callers are notified only after the list has been walked, because they may send and cancel at will.
        List<PendingRequest> expired = List.copyOf(due);
        due.clear();
        expired.forEach(timedOut);
        ticking = waiting > 0;
        if (ticking) {
            alarm.after(TICK_NANOS, this::tick);
        }
    }

    private void collect(int slot, long nowTick) {
        PendingRequest request = slots[slot];
        while (request != null) {
            PendingRequest after = request.later;
            if (request.dueTick <= nowTick) {
                remove(request);
                due.add(request);
            }
            request = after;
        }
    }
}
