package io.lambdafs.door.mount.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A request: a header, and a body that is read field by field, in order. The body is a view of the buffer that the
 * request was read into. For one thread.
 */
public final class Request {
    /** Length of the header. */
    public static final int HEADER_BYTES = 40;

    private static final int MOST_NAME_BYTES = 255;

    private final int number;
    private final long unique;
    private final long node;
    private final int uid;
    private final int gid;
    private final int pid;
    private final ByteBuffer body;

    /**
     * Reads a header.
     *
     * @param bytes one request, from its position to its limit
     * @throws ErrnoException {@code EINVAL} if it is cut
     */
    public Request(ByteBuffer bytes) {
        ByteBuffer in = bytes.slice().order(ByteOrder.nativeOrder());
        if (in.limit() < HEADER_BYTES || in.getInt(0) != in.limit()) {
            throw Errno.EINVAL.failure();
        }
        number = in.getInt(4);
        unique = in.getLong(8);
        node = in.getLong(16);
        uid = in.getInt(24);
        gid = in.getInt(28);
        pid = in.getInt(32);
        body = in.position(HEADER_BYTES).slice().order(ByteOrder.nativeOrder());
    }

    /** Returns its kind; null if it is not served. */
    public @Nullable Opcode opcode() {
        return Opcode.of(number);
    }

    public int number() {
        return number;
    }

    /** Returns the number that its answer carries. */
    public long unique() {
        return unique;
    }

    /** Returns the kernel's number of the file or directory. */
    public long node() {
        return node;
    }

    public int uid() {
        return uid;
    }

    public int gid() {
        return gid;
    }

    /** Returns the thread that made the call; 0 for the kernel itself. */
    public int pid() {
        return pid;
    }

    /** Takes the next 32 bits. */
    public int int32() {
        need(Integer.BYTES);
        return body.getInt();
    }

    /** Takes the next 64 bits. */
    public long int64() {
        need(Long.BYTES);
        return body.getLong();
    }

    public void skip(int bytes) {
        need(bytes);
        body.position(body.position() + bytes);
    }

    /**
     * Takes the next name, up to its NUL.
     *
     * @throws ErrnoException {@code ENAMETOOLONG}, or {@code EINVAL} if it is not UTF-8
     */
    public String name() {
        ByteBuffer text = untilNul();
        if (text.remaining() > MOST_NAME_BYTES) {
            throw Errno.ENAMETOOLONG.failure();
        }
        return decoded(text);
    }

    /** Takes the next text of any length, up to its NUL. */
    public String text() {
        return decoded(untilNul());
    }

    private static String decoded(ByteBuffer text) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(text).toString();
        } catch (CharacterCodingException e) {
            throw Errno.EINVAL.failure();
        }
    }

    private ByteBuffer untilNul() {
        for (int at = body.position(); at < body.limit(); at++) {
            if (body.get(at) == 0) {
                ByteBuffer text = body.slice().limit(at - body.position());
                body.position(at + 1);
                return text;
            }
        }
        throw Errno.EINVAL.failure();
    }

    /** Takes bytes, as a view. */
    public ByteBuffer bytes(int count) {
        need(count);
        ByteBuffer taken = body.slice().limit(count);
        body.position(body.position() + count);
        return taken;
    }

    private void need(int bytes) {
        if (bytes < 0 || body.remaining() < bytes) {
            throw Errno.EINVAL.failure();
        }
    }
}
