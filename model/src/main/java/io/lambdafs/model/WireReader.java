package io.lambdafs.model;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decodes one message. Every length is checked against the remaining input before anything is allocated; malformed
 * input fails with {@link ErrorCode#BAD_FRAME}. Not thread-safe.
 */
public final class WireReader {
    private final byte[] bytes;
    private final int end;
    private int at;

    public WireReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    public WireReader(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.at = offset;
        this.end = offset + length;
    }

    public int remaining() {
        return end - at;
    }

    /** Fails unless everything has been read. */
    public void expectEnd() {
        if (at != end) {
            throw bad((end - at) + " bytes follow the message");
        }
    }

    private void need(int length) {
        if (length < 0 || length > end - at) {
            throw bad("needs " + length + " bytes where " + (end - at) + " are left");
        }
    }

    public int readByte() {
        need(1);
        return bytes[at++];
    }

    public boolean readBoolean() {
        int b = readByte();
        if (b != 0 && b != 1) {
            throw bad("not a boolean: " + b);
        }
        return b == 1;
    }

    public long readFixedLong() {
        need(8);
        long value = 0;
        for (int i = 0; i < 8; i++) {
            value = value << 8 | (bytes[at++] & 0xff);
        }
        return value;
    }

    public long readLong() {
        long v = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            need(1);
            byte b = bytes[at++];
            v |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return (v >>> 1) ^ -(v & 1);
            }
        }
        throw bad("a number is longer than 10 bytes");
    }

    /** Reads a length or an offset, not negative. */
    public long readLength() {
        long length = readLong();
        if (length < 0) {
            throw bad("a length of " + length);
        }
        return length;
    }

    public int readInt() {
        long value = readLong();
        if (value != (int) value) {
            throw bad("not a 32-bit number: " + value);
        }
        return (int) value;
    }

    /** Reads a byte length, at most the remaining input. */
    public int readSize() {
        int v = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            need(1);
            byte b = bytes[at++];
            v |= (b & 0x7f) << shift;
            if (b >= 0) {
                need(v);
                return v;
            }
        }
        throw bad("a length is longer than 5 bytes");
    }

    /**
     * Reads a count of elements of at least {@code minBytes} bytes each (at least 1), at most as many as the remaining
     * input can hold.
     */
    public int readCount(int minBytes) {
        int count = readSize();
        if ((long) count * minBytes > end - at) {
            throw bad(count + " elements do not fit " + (end - at) + " bytes");
        }
        return count;
    }

    public byte[] readBytes() {
        int length = readSize();
        byte[] value = Arrays.copyOfRange(bytes, at, at + length);
        at += length;
        return value;
    }

    /** Reads all remaining bytes, without a length prefix. */
    public byte[] readRest() {
        byte[] rest = Arrays.copyOfRange(bytes, at, end);
        at = end;
        return rest;
    }

    public String readString() {
        int length = readSize();
        boolean ascii = true;
        for (int i = at; i < at + length && ascii; i++) {
            ascii = bytes[i] >= 0;
        }
        String value;
        if (ascii) {
            value = new String(bytes, at, length, StandardCharsets.ISO_8859_1);
        } else {
            try {
                value = StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes, at, length))
                        .toString();
            } catch (CharacterCodingException e) {
                throw bad("not valid UTF-8");
            }
        }
        at += length;
        return value;
    }

    public @Nullable String readOptionalString() {
        return readBoolean() ? readString() : null;
    }

    public byte @Nullable [] readOptionalBytes() {
        return readBoolean() ? readBytes() : null;
    }

    /** Reads an enum constant by its ordinal. */
    public <E extends Enum<E>> E readEnum(E[] constants) {
        int ordinal = readByte();
        if (ordinal < 0 || ordinal >= constants.length) {
            throw bad("no such constant: " + ordinal);
        }
        return constants[ordinal];
    }

    public static FsException bad(String why) {
        return new FsException(ErrorCode.BAD_FRAME, "malformed message: " + why);
    }
}
