package io.lambdafs.rpc.kryonet;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The frames that wait for room in KryoNet's write buffer, which is small and may not overflow. What is sent with KryoNet is this
 * object, each time: only while KryoNet holds its lock is it known how much goes into the buffer. {@link #isFull}, {@link #bytes} and
 * {@link #isWritable} are safe from any thread; all else belongs to the strand.
 */
final class Outbox {
    /** Never filled by frames: room for the few bytes that tell KryoNet's thread to look. */
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

    /** Returns whether something waits, and may find room. */
    boolean isSendable() {
        return !full && !frames.isEmpty();
    }

    /** Returns whether there was no room the last time. */
    boolean isFull() {
        return full;
    }

    /** KryoNet has sent what it had. */
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
     * Moves as much as there is room for; without room it is full from now on.
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

    /** Forgets what waits. */
    void discard() {
        frames.forEach(ByteBuf::release);
        frames.clear();
        change(-bytes);
    }
}
