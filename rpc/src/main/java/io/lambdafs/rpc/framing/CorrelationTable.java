package io.lambdafs.rpc.framing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests awaiting a reply, by correlation id. An id consists of a table slot (low 16 bits) and a number never
 * reused (the rest), so that a lookup is one array access and late or duplicate replies find nothing. Grows up to its
 * limit. Confined to the loop.
 */
final class CorrelationTable {
    private static final int SLOT_BITS = 16;
    private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;

    private final int limit;
    private @Nullable PendingRequest[] slots;
    private int[] free;
    private int freeCount;
    private long uses;

    /** A table of at most {@code limit} requests, 1–65,535. */
    CorrelationTable(int limit) {
        this.limit = limit;
        int size = Math.min(limit, 32);
        slots = new PendingRequest[size];
        free = new int[size];
        release(0, size);
    }

    private void release(int from, int to) {
        for (int slot = to - 1; slot >= from; slot--) {
            free[freeCount++] = slot;
        }
    }

    /** Enters a request and gives it its correlation id. */
    void add(PendingRequest request) {
        if (freeCount == 0) {
            int size = slots.length;
            if (size == limit) {
                throw new IllegalStateException("more than " + limit + " requests were admitted");
            }
            slots = Arrays.copyOf(slots, Math.min(limit, size * 2));
            free = new int[slots.length];
            release(size, slots.length);
        }
        int slot = free[--freeCount];
        request.correlationId = ++uses << SLOT_BITS | slot;
        slots[slot] = request;
    }

    /** Returns the request with an id; null if there is none. */
    @Nullable
    PendingRequest get(long correlationId) {
        int slot = (int) correlationId & SLOT_MASK;
        PendingRequest request = slot < slots.length ? slots[slot] : null;
        return request == null || request.correlationId != correlationId ? null : request;
    }

    /** Removes the request with an id; returns null if there is none. */
    @Nullable
    PendingRequest remove(long correlationId) {
        PendingRequest request = get(correlationId);
        if (request != null) {
            int slot = (int) correlationId & SLOT_MASK;
            slots[slot] = null;
            free[freeCount++] = slot;
        }
        return request;
    }

    /** Removes all requests. */
    List<PendingRequest> removeAll() {
        List<PendingRequest> all = new ArrayList<>();
        for (PendingRequest request : slots) {
            if (request != null) {
                all.add(request);
                remove(request.correlationId);
            }
        }
        return all;
    }
}
