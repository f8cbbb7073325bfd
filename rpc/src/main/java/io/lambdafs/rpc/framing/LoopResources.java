package io.lambdafs.rpc.framing;

import io.lambdafs.rpc.WireWriter;

/** What the connections of one loop share. Confined to that loop. */
public final class LoopResources {
    /** What larger messages need is given back after each. */
    private static final int KEPT_BYTES = 64 << 10;

    final TimeoutWheel timeouts;
    private final byte[] scratch = new byte[KEPT_BYTES];
    private WireWriter writer = new WireWriter(1 << 10);

    /** Runs a task on the loop after a delay. */
    @FunctionalInterface
    public interface Alarm {
        void after(long nanos, Runnable task);
    }

    public LoopResources(Alarm alarm) {
        timeouts = new TimeoutWheel(
                alarm, System::nanoTime, request -> request.connection.sender().timedOut(request));
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
