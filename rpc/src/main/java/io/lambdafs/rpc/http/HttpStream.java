package io.lambdafs.rpc.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultHttpContent;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes the body of a {@link StreamedReply} in pieces. At most {@value #MAX_PENDING_BYTES} bytes are unsent.
 * Thread-safe; never blocks.
 */
public final class HttpStream {
    static final int MAX_PENDING_BYTES = 4 << 20;

    private final Channel channel;
    private final AtomicLong pendingBytes = new AtomicLong();

    HttpStream(Channel channel) {
        this.channel = channel;
    }

    /**
     * Sends a piece.
     *
     * @param piece owned by the stream from now on; at least one byte
     * @return false, with nothing sent, if the peer is gone or reads too slowly
     */
    public boolean send(byte[] piece) {
        if (!channel.isActive()) {
            return false;
        }
        if (pendingBytes.addAndGet(piece.length) > MAX_PENDING_BYTES) {
            pendingBytes.addAndGet(-piece.length);
            return false;
        }
        channel.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(piece)))
                .addListener(written -> pendingBytes.addAndGet(-piece.length));
        return true;
    }

    /** Ends the stream and closes the connection. */
    public void close() {
        channel.close();
    }

    /** Runs a task when the connection ends, by either side; on an event loop, so it must not block. */
    public void onClose(Runnable task) {
        channel.closeFuture().addListener((ChannelFutureListener) closed -> task.run());
    }
}
