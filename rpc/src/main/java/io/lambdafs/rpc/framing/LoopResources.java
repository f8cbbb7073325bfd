package io.lambdafs.rpc.framing;

import io.lambdafs.model.WireWriter;
import java.util.function.LongSupplier;

/**
 * The resources shared by the connections of one loop: buffers, timeouts and the polling state. Confined to that loop.
 */
public final class LoopResources {
    /** Larger buffers are released after each message. */
    private static final int KEPT_BYTES = 64 << 10;

    private final LongSupplier nanoTime;
    private final TimeoutWheel timeouts;
    private final byte[] scratch = new byte[KEPT_BYTES];
    private WireWriter writer = new WireWriter(1 << 10);
    /** The number of requests whose replies are polled for. */
    private int lookouts;

    private long lookUntil;
    /** True if an incoming request is polled for. */
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

    /** Called when a request has been added to its batch. */
    void sent(PendingRequest request, long nowNanos) {
        timeouts.add(request, nowNanos);
        if (request.lookoutNanos > 0) {
            lookouts++;
            lookUntil = nowNanos + request.lookoutNanos;
        }
    }

    /** Called when a sent request has been answered or given up. */
    void over(PendingRequest request) {
        timeouts.remove(request);
        if (request.lookoutNanos > 0) {
            request.lookoutNanos = 0;
            lookouts--;
        }
    }

    /** Hints that a request from the peer just answered is likely within a time. */
    void expectRequest(long nanos) {
        if (nanos > 0) {
            expecting = true;
            expectUntil = nanoTime.getAsLong() + nanos;
        }
    }

    /** Called when a request has arrived, expected or not. */
    void requestCame() {
        expecting = false;
    }

    /** Returns whether a message is expected soon enough to poll instead of parking. */
    public boolean isMessageNear() {
        if (lookouts == 0 && !expecting) {
            return false;
        }
        long now = nanoTime.getAsLong();
        return (lookouts > 0 && now - lookUntil < 0) || (expecting && now - expectUntil < 0);
    }

    /** Returns an empty writer, valid until the next call. */
    WireWriter writer() {
        if (writer.buffer().length > KEPT_BYTES) {
            writer = new WireWriter(1 << 10);
        }
        writer.reset();
        return writer;
    }

    /** Returns an array of at least that many bytes, valid until the next call. */
    byte[] scratch(int bytes) {
        return bytes <= KEPT_BYTES ? scratch : new byte[bytes];
    }
}
