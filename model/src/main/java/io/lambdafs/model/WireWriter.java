package io.lambdafs.model;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Encodes one message into a growing buffer. Integers are zigzag varints unless fixed. Not thread-safe. */
public final class WireWriter {
    private byte[] bytes;
    private int size;

    public WireWriter() {
        this(256);
    }

    public WireWriter(int capacity) {
        bytes = new byte[capacity];
    }

    public void reset() {
        size = 0;
    }

    public int size() {
        return size;
    }

    /** Returns the buffer itself, valid up to {@link #size()} until the next write. */
    public byte[] buffer() {
        return bytes;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    private void ensure(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }

    public void writeByte(int value) {
        ensure(1);
        bytes[size++] = (byte) value;
    }

    public void writeBoolean(boolean value) {
        writeByte(value ? 1 : 0);
    }

    /** Writes eight bytes, big-endian. */
    public void writeFixedLong(long value) {
        ensure(8);
        for (int shift = 56; shift >= 0; shift -= 8) {
            bytes[size++] = (byte) (value >>> shift);
        }
    }

    public void writeLong(long value) {
        ensure(10);
        long v = (value << 1) ^ (value >> 63);
        while ((v & ~0x7fL) != 0) {
            bytes[size++] = (byte) (v | 0x80);
            v >>>= 7;
        }
        bytes[size++] = (byte) v;
    }

    public void writeInt(int value) {
        writeLong(value);
    }

    /** Writes a length or count, not negative. */
    public void writeSize(int value) {
        ensure(5);
        int v = value;
        while ((v & ~0x7f) != 0) {
            bytes[size++] = (byte) (v | 0x80);
            v >>>= 7;
        }
        bytes[size++] = (byte) v;
    }

    public void writeBytes(byte[] value) {
        writeBytes(value, 0, value.length);
    }

    public void writeBytes(byte[] value, int offset, int length) {
        writeSize(length);
        ensure(length);
        System.arraycopy(value, offset, bytes, size, length);
        size += length;
    }

    /** Writes bytes without a length prefix. */
    public void writeRaw(byte[] value) {
        ensure(value.length);
        System.arraycopy(value, 0, bytes, size, value.length);
        size += value.length;
    }

    public void writeString(String value) {
        writeBytes(value.getBytes(StandardCharsets.UTF_8));
    }

    public void writeOptionalString(@Nullable String value) {
        writeBoolean(value != null);
        if (value != null) {
            writeString(value);
        }
    }

    public void writeOptionalBytes(byte @Nullable [] value) {
        writeBoolean(value != null);
        if (value != null) {
            writeBytes(value);
        }
    }

    /** Writes an enum constant by its ordinal, in one byte: constants of such enums are only added, at the end. */
    @SuppressWarnings("EnumOrdinal")
    public void writeEnum(Enum<?> value) {
        writeByte(value.ordinal());
    }
}
