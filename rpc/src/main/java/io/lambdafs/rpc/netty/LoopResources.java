package io.lambdafs.rpc.netty;

import io.lambdafs.rpc.WireWriter;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What the connections of one event loop share. Confined to that loop. */
final class LoopResources {
    private static final FastThreadLocal<LoopResources> OF_THREAD = new FastThreadLocal<>();
    /** What larger messages need is given back after each. */
    private static final int KEPT_BYTES = 64 << 10;

    final TimeoutWheel timeouts;
    private final byte[] scratch = new byte[KEPT_BYTES];
    private WireWriter writer = new WireWriter(1 << 10);

    private LoopResources(EventLoop loop) {
        timeouts = new TimeoutWheel(
                (nanos, task) -> loop.schedule(task, nanos, TimeUnit.NANOSECONDS),
                System::nanoTime,
                request -> request.connection.sender().timedOut(request));
    }

    /** Those of the event loop that calls. */
    static LoopResources of(EventLoop loop) {
        @Nullable LoopResources known = OF_THREAD.getIfExists();
        if (known == null) {
            known = new LoopResources(loop);
            OF_THREAD.set(known);
        }
        return known;
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
