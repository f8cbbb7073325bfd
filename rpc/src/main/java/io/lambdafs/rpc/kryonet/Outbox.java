package io.lambdafs.rpc.kryonet;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The frames waiting for room in KryoNet's write buffer, which is small and must not overflow. This object itself is
 * what is sent through KryoNet, because the free space is known only while KryoNet holds its lock. {@link #isFull},
 * {@link #bytes} and {@link #isWritable} are thread-safe; everything else belongs to the strand.
 */
final class Outbox {
    /** Space never used by frames, for the few bytes that wake KryoNet's thread. */
    static final int RESERVE = 256;

    private final Queue<ByteBuf> frames = new ArrayDeque<>();
    private final int lowWaterMark;
    private final int highWaterMark;
    private volatile long bytes;
    private volatile boolean writable = true;
    private volatile boolean full;

    Outbox(int lowWaterMark, int highWaterMark) {
        this.lowWaterMark = lowWaterMark;
        this.highWaterMark = highWaterMark;
    }

    void add(ByteBuf more) {
        frames.add(more);
        change(more.readableBytes());
    }

    private void change(long difference) {
        long now = bytes + difference;
        bytes = now;
        if (now > highWaterMark) {
            writable = false;
        } else if (now < lowWaterMark) {
            writable = true;
        }
    }

    /** Returns whether something is waiting and may find room. */
    boolean isSendable() {
        return !full && !frames.isEmpty();
    }

    /** Returns whether there was no room last time. */
    boolean isFull() {
        return full;
    }

    /** Called when KryoNet has sent its buffer. */
    void hasRoom() {
        full = false;
    }

    long bytes() {
        return bytes;
    }

    boolean isWritable() {
        return writable;
    }

    /**
     * Moves as much as fits; without room it becomes full.
     *
     * @return whether anything was moved
     */
    boolean drainTo(ByteBuffer object) {
        int room = Math.min(object.remaining() - RESERVE, KryoObjects.MAX_PIECE_BYTES);
        if (room <= 0 || frames.isEmpty()) {
            full = room <= 0;
            return false;
        }
        int before = object.position();
        for (ByteBuf first = frames.peek(); first != null && room > 0; first = frames.peek()) {
            int length = Math.min(room, first.readableBytes());
            int limit = object.limit();
            object.limit(object.position() + length);
            first.readBytes(object);
            object.limit(limit);
            room -= length;
            if (!first.isReadable()) {
                frames.remove().release();
            }
        }
        change(before - object.position());
        return true;
    }

    /** Discards waiting frames. */
    void discard() {
        frames.forEach(ByteBuf::release);
        frames.clear();
        change(-bytes);
    }
}
