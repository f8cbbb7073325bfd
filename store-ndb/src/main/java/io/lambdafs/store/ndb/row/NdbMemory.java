package io.lambdafs.store.ndb.row;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory outside the heap: for keys and values sent, which NDB copies at once, and for values read, which NDB writes
 * here. Allocated front to back, and freed all at once. Confined to one thread.
 */
public final class NdbMemory {
    /** The size of the length prefix of a variable-length value. */
    public static final int LENGTH_BYTES = 2;

    private static final int ALIGNMENT = 8;

    private final ByteBuffer all;
    private int next;

    NdbMemory(int bytes) {
        all = ByteBuffer.allocateDirect(bytes);
    }

    /** Frees all of it. */
    public void clear() {
        next = 0;
    }

    /** Allocates a number of bytes. */
    public ByteBuffer room(int bytes) {
        ByteBuffer room = all.slice(next, bytes).order(ByteOrder.nativeOrder());
        next += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        return room;
    }

    public ByteBuffer number(long value) {
        return room(Long.BYTES).putLong(0, value);
    }

    /** Allocates bytes with their length prefix, padded with zeros to a multiple of four, as NDB's hash demands. */
    public ByteBuffer bytes(byte[] source, int offset, int length) {
        ByteBuffer room = room((LENGTH_BYTES + length + 3) / 4 * 4);
        putLength(room, length);
        room.put(LENGTH_BYTES, source, offset, length);
        for (int i = LENGTH_BYTES + length; i < room.limit(); i++) {
            room.put(i, (byte) 0);
        }
        return room;
    }

    /** Little-endian, as NDB demands, whatever the machine's order. */
    private static void putLength(ByteBuffer room, int length) {
        room.put(0, (byte) length).put(1, (byte) (length >> 8));
    }

    /** Returns a value that NDB has written, without its length prefix. */
    public static byte[] read(ByteBuffer room) {
        int length = (room.get(0) & 0xff) | (room.get(1) & 0xff) << 8;
        byte[] bytes = new byte[length];
        room.get(LENGTH_BYTES, bytes);
        return bytes;
    }
}
