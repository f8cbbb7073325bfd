package io.lambdafs.rpc.framing;

import static io.lambdafs.rpc.framing.Frame.BODY_AT;
import static io.lambdafs.rpc.framing.Frame.HEAD_BYTES;
import static io.lambdafs.rpc.framing.Frame.ID_AT;
import static io.lambdafs.rpc.framing.Frame.KIND_AT;
import static io.lambdafs.rpc.framing.Frame.LENGTH_BYTES;
import static io.lambdafs.rpc.framing.Frame.VERSION_AT;

import io.lambdafs.rpc.Transport;
import io.netty.buffer.ByteBuf;

/**
 * Splits incoming bytes into frames and passes their bodies to the connection. Every part of a frame's head is checked
 * as soon as it arrives; nothing is allocated on the strength of a length field. Confined to the loop.
 */
final class FrameReader {
    private final FramedConnection connection;
    private final Receiver receiver;
    private final LoopResources resources;

    FrameReader(FramedConnection connection, Receiver receiver, LoopResources resources) {
        this.connection = connection;
        this.receiver = receiver;
        this.resources = resources;
    }

    /** Consumes all complete frames; an incomplete one stays until more has arrived. */
    void read(ByteBuf in) {
        boolean more = true;
        while (more && receiver.isReading()) {
            more = readFrame(in);
        }
        if (!receiver.isReading()) {
            in.skipBytes(in.readableBytes());
        }
    }

    /** Reads one frame; returns false if it is incomplete or refused. */
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
