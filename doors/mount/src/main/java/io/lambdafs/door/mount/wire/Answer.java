package io.lambdafs.door.mount.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** An answer's bytes, written field by field behind its header, which is filled in when it is sent. For one thread. */
public final class Answer {
    /** Length of the header. */
    public static final int HEADER_BYTES = 16;

    /** Length of what {@link #putEntry} and {@link #putOpened} append. */
    public static final int CREATED_BYTES = 40 + 88 + 16;

    private static final ByteBuffer NO_DATA = ByteBuffer.allocate(0);
    private static final int ATTRIBUTES_BYTES = 88;
    private static final int NANOS_PER_MILLI = 1_000_000;
    private static final int MILLIS_PER_SECOND = 1_000;
    private static final int SECTOR = 512;
    private static final int PREFERRED_BYTES = 128 << 10;

    private final ByteBuffer fields;
    private ByteBuffer data = NO_DATA;
    private int error;

    private Answer(int bytes) {
        fields = ByteBuffer.allocate(HEADER_BYTES + bytes)
                .order(ByteOrder.nativeOrder())
                .position(HEADER_BYTES);
    }

    /** Begins an answer with room for the fields. */
    public static Answer of(int bytes) {
        return new Answer(bytes);
    }

    /** Returns the answer to a request that was done. */
    public static Answer done() {
        return new Answer(0);
    }

    public static Answer refused(Errno why) {
        Answer answer = new Answer(0);
        answer.error = -why.number();
        return answer;
    }

    /** Makes it a notice to the kernel, which has not asked. */
    public Answer asNotice(int kind) {
        error = kind;
        return this;
    }

    /** Returns an answer with these bytes alone, which are not copied. */
    public static Answer data(ByteBuffer bytes) {
        Answer answer = new Answer(0);
        answer.data = bytes;
        return answer;
    }

    /**
     * Returns a file or directory that was looked up or made.
     *
     * @param validMillis how long the kernel may go on without asking again, for its name and for its attributes
     */
    public static Answer entry(FileStatus found, long validMillis) {
        return new Answer(40 + ATTRIBUTES_BYTES).putEntry(found, validMillis);
    }

    /** Returns attributes. */
    public static Answer attributes(FileStatus found, long validMillis) {
        return new Answer(16 + ATTRIBUTES_BYTES)
                .putLong(validMillis / MILLIS_PER_SECOND)
                .putInt(nanos(validMillis))
                .putInt(0)
                .putAttributes(found);
    }

    /** Returns the number of an open file. */
    public static Answer opened(long handle, int flags) {
        return new Answer(16).putOpened(handle, flags);
    }

    /** Appends the number of an open file. */
    public Answer putOpened(long handle, int flags) {
        return putLong(handle).putInt(flags).putInt(0);
    }

    public static Answer written(int bytes) {
        return new Answer(8).putInt(bytes).putInt(0);
    }

    public Answer putInt(int value) {
        fields.putInt(value);
        return this;
    }

    public Answer putShort(int value) {
        fields.putShort((short) value);
        return this;
    }

    public Answer putLong(long value) {
        fields.putLong(value);
        return this;
    }

    public Answer putBytes(byte[] bytes) {
        fields.put(bytes);
        return this;
    }

    /** Appends what {@link #entry} returns. */
    public Answer putEntry(FileStatus found, long validMillis) {
        long seconds = validMillis / MILLIS_PER_SECOND;
        return putLong(found.node())
                .putLong(0)
                .putLong(seconds)
                .putLong(seconds)
                .putInt(nanos(validMillis))
                .putInt(nanos(validMillis))
                .putAttributes(found);
    }

    private Answer putAttributes(FileStatus of) {
        return putLong(of.node())
                .putLong(of.size())
                .putLong((of.size() + SECTOR - 1) / SECTOR)
                .putLong(Math.floorDiv(of.atimeMillis(), MILLIS_PER_SECOND))
                .putLong(Math.floorDiv(of.mtimeMillis(), MILLIS_PER_SECOND))
                .putLong(Math.floorDiv(of.mtimeMillis(), MILLIS_PER_SECOND))
                .putInt(nanos(of.atimeMillis()))
                .putInt(nanos(of.mtimeMillis()))
                .putInt(nanos(of.mtimeMillis()))
                .putInt(of.mode())
                .putInt(of.links())
                .putInt(of.uid())
                .putInt(of.gid())
                .putInt(0)
                .putInt(PREFERRED_BYTES)
                .putInt(0);
    }

    private static int nanos(long millis) {
        return (int) Math.floorMod(millis, (long) MILLIS_PER_SECOND) * NANOS_PER_MILLI;
    }

    /** Returns whether it has room for so many more bytes. */
    public boolean hasRoom(int bytes) {
        return fields.remaining() >= bytes;
    }

    /** Returns how many bytes it has, its header not counted. */
    public int length() {
        return fields.position() - HEADER_BYTES + data.remaining();
    }

    /** Returns its bytes, in one or two parts, with the header of the answer to a request. */
    public ByteBuffer[] to(long unique) {
        ByteBuffer head = fields.flip();
        head.putInt(0, head.limit() + data.remaining());
        head.putInt(4, error);
        head.putLong(8, unique);
        return data.hasRemaining() ? new ByteBuffer[] {head, data} : new ByteBuffer[] {head};
    }
}
