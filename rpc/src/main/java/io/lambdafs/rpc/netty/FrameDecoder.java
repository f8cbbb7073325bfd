package io.lambdafs.rpc.netty;

import io.lambdafs.rpc.framing.FramedConnection;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes incoming bytes, in a buffer that grows only with data received, and channel events to the connection. Confined
 * to the event loop.
 */
final class FrameDecoder extends ByteToMessageDecoder {
    private static final Logger LOG = LoggerFactory.getLogger(FrameDecoder.class);

    private static final int PIECE_BYTES = 256;

    private final FramedConnection connection;
    private final @Nullable Receiving receiving;
    /** The number of pieces in which the unread bytes arrived. */
    private int pieces;

    /** @param receiving the place for the channel's bytes; null if they come from another handler */
    FrameDecoder(FramedConnection connection, @Nullable Receiving receiving) {
        // A large frame arrives in several pieces, which are not copied together before they are read.
        setCumulator(COMPOSITE_CUMULATOR);
        this.connection = connection;
        this.receiving = receiving;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        connection.opened();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) throws Exception {
        connection.beginBatch();
        pieces++;
        if (receiving == null || !receiving.haveCome(bytes)) {
            super.channelRead(context, bytes);
        }
    }

    /** Returns the unread bytes, including the overhead of each piece. */
    private int unread() {
        int bytes = actualReadableBytes();
        pieces = bytes == 0 ? 0 : pieces;
        return bytes + pieces * PIECE_BYTES;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        connection.endBatch(unread());
        if (receiving != null) {
            receiving.waitForMore(context.channel());
        }
        super.channelReadComplete(context);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        connection.lost();
        super.channelInactive(context);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (isLoss(cause)) {
            LOG.debug("{} broke: {}", connection, cause.toString());
        } else {
            LOG.warn("{} is closed by a fault", connection, cause);
        }
        connection.close();
    }

    /**
     * Returns whether a connection is lost, rather than something at fault: on a socket just closed, options cannot be
     * set.
     */
    static boolean isLoss(Throwable cause) {
        return cause instanceof IOException
                || (cause instanceof ChannelException && cause.getCause() instanceof IOException);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        connection.read(in);
    }
}
