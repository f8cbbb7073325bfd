package io.lambdafs.rpc.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultHttpContent;
import java.util.concurrent.atomic.AtomicLong;

/** The body of a {@link StreamedReply}, piece by piece. At most {@value #MAX_PENDING_BYTES} bytes wait for the peer. Thread-safe; nothing blocks. */
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
     * @param piece the stream's from now on, at least one byte
     * @return false, and nothing is sent, where the peer has gone, or takes in too slowly what was sent before
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

    /** Ends it, and the connection with it. */
    public void close() {
        channel.close();
    }

    /** Runs a task once the connection is over, whoever ended it; on an event loop: must not block. */
    public void onClose(Runnable task) {
        channel.closeFuture().addListener((ChannelFutureListener) closed -> task.run());
    }
}
