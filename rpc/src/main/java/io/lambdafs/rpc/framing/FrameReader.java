package io.lambdafs.rpc.framing;

import static io.lambdafs.rpc.framing.Frame.BODY_AT;
import static io.lambdafs.rpc.framing.Frame.HEAD_BYTES;
import static io.lambdafs.rpc.framing.Frame.ID_AT;
import static io.lambdafs.rpc.framing.Frame.KIND_AT;
import static io.lambdafs.rpc.framing.Frame.LENGTH_BYTES;
import static io.lambdafs.rpc.framing.Frame.VERSION_AT;

import io.lambdafs.rpc.Transport;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Splits incoming bytes into frames and passes their bodies to the connection. Every part of a frame's head is checked
 * as soon as it arrives; nothing is allocated on the strength of a length field. Confined to the loop.
 */
final class FrameReader {
    private static final int MAX_HEAD_BYTES = 64 << 10;

    private final FramedConnection connection;
    private final Receiver receiver;
    private final LoopResources resources;

    /** The number of bytes of a tailed reply still to come, and their taker. */
    private int tailLeft;

    private Receiver.@Nullable Tail tail;
    private long frames;
    /** True if the frame before had a tail. */
    private boolean tailed;

    FrameReader(FramedConnection connection, Receiver receiver, LoopResources resources) {
        this.connection = connection;
        this.receiver = receiver;
        this.resources = resources;
    }

    /** Returns the number of frames read. */
    long frames() {
        return frames;
    }

    /** Consumes all complete frames; an incomplete one stays until more has arrived. */
    void read(ByteBuf in) {
        boolean more = true;
        while (more && receiver.isReading()) {
            more = readFrame(in);
            frames += more ? 1 : 0;
        }
        if (!receiver.isReading()) {
            in.skipBytes(in.readableBytes());
        }
    }

    /** Reads one frame; returns false if it is incomplete or refused. */
    private boolean readFrame(ByteBuf in) {
        int available = in.readableBytes();
        if (tailLeft > 0) {
            return readTail(in, Math.min(available, tailLeft));
        }
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
        if (available >= BODY_AT && in.getByte(at + KIND_AT) == Frame.TAILED_REPLY) {
            return readHead(in, length);
        }
        tailed = false;
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

    /** Reads the message of a tailed reply; returns false if it is incomplete or refused. */
    private boolean readHead(ByteBuf in, int length) {
        int at = in.readerIndex();
        if (in.readableBytes() < BODY_AT + Integer.BYTES) {
            return false;
        }
        int headLength = in.getInt(at + BODY_AT);
        int follows = length - HEAD_BYTES - Integer.BYTES - headLength;
        if (headLength < 1 || headLength > MAX_HEAD_BYTES || follows < 1) {
            receiver.refuse("a reply of " + headLength + " bytes with more behind it, in a frame of " + length, in);
            return false;
        }
        int bodyAt = BODY_AT + Integer.BYTES;
        if (in.readableBytes() < bodyAt + headLength) {
            return false;
        }
        byte[] body = resources.scratch(headLength);
        in.getBytes(at + bodyAt, body, 0, headLength);
        long correlationId = in.getLong(at + ID_AT);
        in.skipBytes(bodyAt + headLength);
        tailLeft = follows;
        tailed = true;
        tail = receiver.receivedHead(correlationId, body, headLength, follows);
        return true;
    }

    /** Passes on the bytes of a tail that have arrived: the taker copies them once. */
    private boolean readTail(ByteBuf in, int count) {
        Receiver.Tail to = tail;
        if (to != null && count > 0) {
            to.take(in.nioBuffer(in.readerIndex(), count));
        }
        in.skipBytes(count);
        tailCame(count);
        return count > 0;
    }

    private void tailCame(int count) {
        Receiver.Tail to = tail;
        tailLeft -= count;
        if (tailLeft == 0 && to != null) {
            tail = null;
            to.end();
        }
    }

    /** Returns the place for the wire's next bytes; null if they are to be read. */
    @Nullable
    ByteBuffer room() {
        Receiver.Tail to = tail;
        ByteBuffer room = to == null || tailLeft == 0 || !receiver.isReading() ? null : to.room();
        return room == null || room.remaining() > tailLeft ? null : room;
    }

    /** Notes that this many bytes are in the room. */
    void came(int count) {
        Receiver.Tail to = tail;
        if (to != null) {
            to.came(count);
        }
        tailCame(count);
    }

    /** Returns the number of bytes still to come of a tail that has a taker. */
    int tailLeft() {
        return tail == null ? 0 : tailLeft;
    }

    /** Returns whether a head, and then bytes that have a room, are likely to come next. */
    boolean isHeadNear() {
        return tailed && tailLeft == 0 && connection.inFlight() > 0;
    }
}
