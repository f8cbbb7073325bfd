package io.lambdafs.rpc.framing;

import io.lambdafs.rpc.WireWriter;
import java.util.function.LongSupplier;

/** What the connections of one loop share. Confined to that loop. */
public final class LoopResources {
    /** What larger messages need is given back after each. */
    private static final int KEPT_BYTES = 64 << 10;

    private final LongSupplier nanoTime;
    private final TimeoutWheel timeouts;
    private final byte[] scratch = new byte[KEPT_BYTES];
    private WireWriter writer = new WireWriter(1 << 10);
    /** Requests under way whose answers are looked for, and until when. */
    private int lookouts;

    private long lookUntil;
    /** Whether a request is looked for, and until when. */
    private boolean expecting;

    private long expectUntil;

    /** Runs a task on the loop after a delay. */
    @FunctionalInterface
    public interface Alarm {
        void after(long nanos, Runnable task);
    }

    public LoopResources(Alarm alarm) {
        this(alarm, System::nanoTime);
    }

    LoopResources(Alarm alarm, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        timeouts = new TimeoutWheel(alarm, nanoTime, this::timedOut);
    }

    private void timedOut(PendingRequest request) {
        over(request);
        request.connection.sender().timedOut(request);
    }

    /** A request has been put into its batch. */
    void sent(PendingRequest request, long nowNanos) {
        timeouts.add(request, nowNanos);
        if (request.lookoutNanos > 0) {
            lookouts++;
            lookUntil = nowNanos + request.lookoutNanos;
        }
    }

    /** A request that was sent has been answered, or is given up. */
    void over(PendingRequest request) {
        timeouts.remove(request);
        if (request.lookoutNanos > 0) {
            request.lookoutNanos = 0;
            lookouts--;
        }
    }

    /** Tells the loop that a request is likely within that time, from the peer that was just answered. */
    void expectRequest(long nanos) {
        if (nanos > 0) {
            expecting = true;
            expectUntil = nanoTime.getAsLong() + nanos;
        }
    }

    /** A request came, expected or not. */
    void requestCame() {
        expecting = false;
    }

    /** Returns whether it pays to look for an answer, or a request, rather than to sleep. */
    public boolean isMessageNear() {
        if (lookouts == 0 && !expecting) {
            return false;
        }
        long now = nanoTime.getAsLong();
        return (lookouts > 0 && now - lookUntil < 0) || (expecting && now - expectUntil < 0);
    }

    /** An empty writer, good until the next call. */
    WireWriter writer() {
        if (writer.buffer().length > KEPT_BYTES) {
            writer = new WireWriter(1 << 10);
        }
        writer.reset();
        return writer;
    }

    /** An array of at least that many bytes, good until the next call. */
    byte[] scratch(int bytes) {
        return bytes <= KEPT_BYTES ? scratch : new byte[bytes];
    }
}
