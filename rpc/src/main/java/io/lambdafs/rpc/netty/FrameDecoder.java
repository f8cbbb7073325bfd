package io.lambdafs.rpc.netty;

import static io.lambdafs.rpc.netty.Frame.BODY_AT;
import static io.lambdafs.rpc.netty.Frame.HEAD_BYTES;
import static io.lambdafs.rpc.netty.Frame.ID_AT;
import static io.lambdafs.rpc.netty.Frame.KIND_AT;
import static io.lambdafs.rpc.netty.Frame.LENGTH_BYTES;
import static io.lambdafs.rpc.netty.Frame.VERSION_AT;

import io.lambdafs.rpc.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cuts what comes in into frames and hands their bodies to the connection. Every part of a frame's head is checked as soon as it
 * is there; nothing is allocated on the word of a length field, for the buffer grows only with what has arrived. Confined to
 * the event loop.
 */
final class FrameDecoder extends ByteToMessageDecoder {
    private static final Logger LOG = LoggerFactory.getLogger(FrameDecoder.class);

    private final NettyConnection connection;
    private final Receiver receiver;
    private final LoopResources resources;

    /** Called on the event loop. */
    FrameDecoder(NettyConnection connection, LoopResources resources) {
        this.connection = connection;
        this.receiver = connection.receiver();
        this.resources = resources;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        connection.becameActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) throws Exception {
        connection.sender().beginBatch();
        super.channelRead(context, bytes);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        connection.sender().endBatch();
        super.channelReadComplete(context);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        connection.becameInactive();
        super.channelInactive(context);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException) {
            LOG.debug("connection {} to {} broke: {}", connection.id(), connection.remoteAddress(), cause.toString());
        } else {
            LOG.warn("connection {} to {} is closed by a fault", connection.id(), connection.remoteAddress(), cause);
        }
        connection.close();
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        boolean more = true;
        while (more && receiver.isReading()) {
            more = readFrame(in);
        }
        if (!receiver.isReading()) {
            in.skipBytes(in.readableBytes());
        }
    }

    /** Reads one frame; answers false if it has not arrived whole, or is refused. */
    private boolean readFrame(ByteBuf in) {
        int available = in.readableBytes();
        if (available < LENGTH_BYTES) {
            return false;
        }
        int at = in.readerIndex();
        int length = in.getInt(at);
        int limit = connection.isAuthenticated() ? Transport.MAX_FRAME : Transport.MAX_FRAME_UNAUTHENTICATED;
        if (length <= HEAD_BYTES || length > limit) {
            receiver.refuse("a frame of " + length + " bytes; allowed are " + (HEAD_BYTES + 1) + ".." + limit, in);
            return false;
        }
        if (available > VERSION_AT && in.getByte(at + VERSION_AT) != Frame.VERSION) {
            receiver.refuse("version " + in.getByte(at + VERSION_AT) + " is not known", in);
            return false;
        }
        if (available < LENGTH_BYTES + length) {
            return false;
        }
        byte kind = in.getByte(at + KIND_AT);
        long correlationId = in.getLong(at + ID_AT);
        if (kind != Frame.REQUEST && kind != Frame.REPLY) {
            receiver.refuse("frame kind " + kind + " is not known", in);
            return false;
        }
        int bodyLength = length - HEAD_BYTES;
        byte[] body = resources.scratch(bodyLength);
        in.getBytes(at + BODY_AT, body, 0, bodyLength);
        in.skipBytes(LENGTH_BYTES + length);
        receiver.received(kind, correlationId, body, bodyLength);
        return true;
    }
}
