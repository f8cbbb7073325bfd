package io.lambdafs.client;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Sequential read-ahead: reads a file through windows that grow during sequential reads, prefetching the next one.
 * After a seek it starts with a small window again. Blocks. For one thread at a time.
 */
public final class ReadAhead {
    private static final int SMALLEST = 128 << 10;
    private static final int LARGEST = 4 << 20;
    private static final byte[] NONE = {};

    private final FileReader reader;
    private ByteBuffer window = ByteBuffer.allocate(0);
    private long windowAt;
    private int size = SMALLEST;
    private @Nullable Next next;

    /** A requested window. */
    private record Next(long at, CompletionStage<ByteBuffer> bytes) {}

    public ReadAhead(FileReader reader) {
        this.reader = reader;
    }

    /**
     * Reads bytes of the file: at least one, at most the buffer's remaining space.
     *
     * @param from less than the length
     */
    public int read(long from, ByteBuffer into) throws InterruptedException {
        if (from < windowAt || from >= windowAt + window.limit()) {
            move(from);
        }
        int at = (int) (from - windowAt);
        int copied = Math.min(into.remaining(), window.limit() - at);
        into.put(into.position(), window, at, copied);
        into.position(into.position() + copied);
        return copied;
    }

    private void move(long from) throws InterruptedException {
        boolean follows = from == windowAt + window.limit();
        size = follows ? Math.min(LARGEST, 2 * size) : SMALLEST;
        Next asked = next;
        next = null;
        byte[] before = follows && window.hasArray() && window.array().length == LARGEST ? window.array() : NONE;
        window = BlockingLambdaFs.await(asked != null && asked.at() == from ? asked.bytes() : reader.read(from, size))
                .slice();
        windowAt = from;
        long end = from + window.limit();
        if (follows && end < reader.length()) {
            next = new Next(end, reader.read(end, size, before));
        }
    }

    /** Drops buffered windows. */
    public void drop() {
        window = ByteBuffer.allocate(0);
        windowAt = 0;
        size = SMALLEST;
        next = null;
    }
}
