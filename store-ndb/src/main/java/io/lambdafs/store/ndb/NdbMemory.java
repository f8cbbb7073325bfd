package io.lambdafs.store.ndb;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory outside of the heap: what is asked for and written, which NDB copies at once, and what is read, which NDB writes here. Given out from
 * the beginning to the end, and all of it taken back at once. Confined to one thread.
 */
final class NdbMemory {
    /** Of the length before what has a variable one. */
    static final int LENGTH_BYTES = 2;

    private static final int ALIGNMENT = 8;

    private final ByteBuffer all;
    private int next;

    NdbMemory(int bytes) {
        all = ByteBuffer.allocateDirect(bytes);
    }

    /** Takes all back. */
    void clear() {
        next = 0;
    }

    /** Room for so many bytes. */
    ByteBuffer room(int bytes) {
        ByteBuffer room = all.slice(next, bytes).order(ByteOrder.nativeOrder());
        next += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        return room;
    }

    ByteBuffer number(long value) {
        return room(Long.BYTES).putLong(0, value);
    }

    /** Bytes with their length before them, and zeros up to a multiple of four, as NDB's hash wants them. */
    ByteBuffer bytes(byte[] source, int offset, int length) {
        ByteBuffer room = room((LENGTH_BYTES + length + 3) / 4 * 4);
        putLength(room, length);
        room.put(LENGTH_BYTES, source, offset, length);
        for (int i = LENGTH_BYTES + length; i < room.limit(); i++) {
            room.put(i, (byte) 0);
        }
        return room;
    }

    /** NDB's order of the two, whatever the machine's. */
    private static void putLength(ByteBuffer room, int length) {
        room.put(0, (byte) length).put(1, (byte) (length >> 8));
    }

    /** What NDB has written, without the length before it. */
    static byte[] read(ByteBuffer room) {
        int length = (room.get(0) & 0xff) | (room.get(1) & 0xff) << 8;
        byte[] bytes = new byte[length];
        room.get(LENGTH_BYTES, bytes);
        return bytes;
    }
}
