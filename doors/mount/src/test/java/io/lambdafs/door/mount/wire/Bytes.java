package io.lambdafs.door.mount.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Requests as the kernel writes them, in this machine's byte order. */
public final class Bytes {
    private final ByteBuffer bytes = ByteBuffer.allocate(4_096).order(ByteOrder.nativeOrder());

    private Bytes() {}

    /** Begins a request of user 1000 in group 100, by thread 77, with number 5. */
    public static Bytes request(Opcode opcode, long node) {
        Bytes made = new Bytes();
        made.bytes
                .putInt(0)
                .putInt(opcode.number())
                .putLong(5)
                .putLong(node)
                .putInt(1_000)
                .putInt(100)
                .putInt(77)
                .putInt(0);
        return made;
    }

    public Bytes int32(int value) {
        bytes.putInt(value);
        return this;
    }

    public Bytes int64(long value) {
        bytes.putLong(value);
        return this;
    }

    public Bytes text(String value) {
        bytes.put(value.getBytes(StandardCharsets.UTF_8)).put((byte) 0);
        return this;
    }

    public Bytes raw(byte[] value) {
        bytes.put(value);
        return this;
    }

    public ByteBuffer buffer() {
        ByteBuffer whole = bytes.duplicate().order(ByteOrder.nativeOrder()).flip();
        whole.putInt(0, whole.limit());
        return whole;
    }

    public Request read() {
        return new Request(buffer());
    }
}
