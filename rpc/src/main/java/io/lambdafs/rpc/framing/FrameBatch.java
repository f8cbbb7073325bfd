package io.lambdafs.rpc.framing;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.WireWriter;
import io.lambdafs.rpc.FileSlice;
import io.lambdafs.rpc.Tailed;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.Message;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Collects a batch of frames in one buffer and sends it at once, or in several parts if long. Confined to the loop. */
final class FrameBatch {
    private static final int FIRST_BYTES = 8 << 10;
    private static final int FLUSH_AT_BYTES = 64 << 10;

    private final Wire wire;
    private final Codec codec;
    private final HeldBytes.Account account;
    private @Nullable ByteBuf frames;

    FrameBatch(Wire wire, Codec codec, HeldBytes.Account account) {
        this.account = account;
        this.wire = wire;
        this.codec = codec;
    }

    /**
     * Adds a frame.
     *
     * @param writer scratch space
     * @throws FsException {@code BAD_FRAME}: the message is larger than {@link Transport#MAX_FRAME}; {@code INTERNAL}:
     *     its type is not registered; nothing was added, and the tail remains the caller's
     */
    void add(WireWriter writer, byte kind, long correlationId, Message message) {
        try {
            codec.write(writer, message);
        } catch (RuntimeException e) {
            throw FsException.of(e);
        }
        FileSlice tail = message instanceof Tailed tailed ? tailed.tail() : null;
        int head = tail == null ? 0 : Integer.BYTES;
        int length = Frame.HEAD_BYTES + head + writer.size() + (tail == null ? 0 : tail.length());
        if (length > Transport.MAX_FRAME) {
            throw new FsException(
                    ErrorCode.BAD_FRAME,
                    message.getClass().getSimpleName() + " of " + length + " bytes is larger than the "
                            + Transport.MAX_FRAME + " of a frame: ask for less at once");
        }
        ByteBuf out = frames;
        int here = Frame.BODY_AT + head + writer.size();
        if (out == null) {
            out = wire.buffer(Math.max(FIRST_BYTES, here));
            frames = out;
        }
        out.ensureWritable(here);
        out.writeInt(length);
        out.writeByte(Frame.VERSION);
        out.writeByte(tail == null ? kind : Frame.TAILED_REPLY);
        out.writeLong(correlationId);
        if (tail != null) {
            out.writeInt(writer.size());
        }
        out.writeBytes(writer.buffer(), 0, writer.size());
        if (tail != null) {
            frames = null;
            int bytes = out.readableBytes() + wire.cost(tail);
            wire.send(out, tail);
            account.given(bytes);
        } else if (out.readableBytes() >= FLUSH_AT_BYTES) {
            flush();
        }
    }

    void flush() {
        ByteBuf out = frames;
        if (out != null) {
            frames = null;
            int bytes = out.readableBytes();
            wire.send(out);
            account.given(bytes);
        }
    }

    /** Discards unflushed frames. */
    void discard() {
        ByteBuf out = frames;
        if (out != null) {
            frames = null;
            out.release();
        }
    }
}
