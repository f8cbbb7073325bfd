package io.lambdafs.client;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletionStage;

/**
 * Sequential read-ahead: reads a file through windows, prefetching the next ones, further and further ahead during
 * sequential reads. After a seek it starts with a small window again. Blocks. For one thread at a time.
 */
public final class ReadAhead {
    private static final int SMALLEST = 128 << 10;
    /** Small, so that the processor's cache still has what has come when it is read. */
    private static final int WINDOW = 1 << 20;

    private static final int MOST_AHEAD = 4 << 20;
    private static final long UNKNOWN = -1;
    private static final byte[] NONE = {};

    private final FileReader reader;
    private ByteBuffer window = ByteBuffer.allocate(0);
    private long windowAt;
    /** How many bytes may be requested beyond the window. */
    private int depth = SMALLEST;

    private final Deque<Next> asked = new ArrayDeque<>();

    /**
     * A requested window.
     *
     * @param end {@link #UNKNOWN} until its bytes have arrived, where its block has not been located
     */
    private record Next(long at, long end, CompletionStage<ByteBuffer> bytes) {}

    public ReadAhead(FileReader reader) {
        this.reader = reader;
    }

    /**
     * Reads bytes of the file: at least one, at most the buffer's remaining space.
     *
     * @param from less than the length
     */
    public int read(long from, ByteBuffer into) throws InterruptedException {
        if (from < windowAt || from >= end()) {
            move(from);
        }
        int at = (int) (from - windowAt);
        int copied = Math.min(into.remaining(), window.limit() - at);
        into.put(into.position(), window, at, copied);
        into.position(into.position() + copied);
        return copied;
    }

    private long end() {
        return windowAt + window.limit();
    }

    private void move(long from) throws InterruptedException {
        boolean follows = from == end();
        depth = follows ? Math.min(MOST_AHEAD, 2 * depth) : SMALLEST;
        byte[] before = follows && window.hasArray() && window.array().length == WINDOW ? window.array() : NONE;
        Next next = asked.poll();
        if (next == null || next.at() != from) {
            asked.clear();
            next = ask(from, NONE);
        }
        window = BlockingLambdaFs.await(next.bytes()).slice();
        windowAt = from;
        if (follows) {
            askAhead(before);
        }
    }

    private void askAhead(byte[] spare) {
        long most = Math.min(reader.length(), end() + depth);
        byte[] into = spare;
        long at = asked.isEmpty() ? end() : asked.getLast().end();
        while (at != UNKNOWN && at < most) {
            Next next = ask(at, into);
            asked.add(next);
            into = NONE;
            at = next.end();
        }
    }

    private Next ask(long at, byte[] spare) {
        // Aligned, so that its bytes come in whole pieces.
        int length = depth < WINDOW ? depth : (int) (WINDOW - at % WINDOW);
        int part = reader.part(at, length);
        return new Next(at, part == 0 ? UNKNOWN : at + part, reader.read(at, length, spare));
    }

    /** Drops buffered windows. */
    public void drop() {
        window = ByteBuffer.allocate(0);
        windowAt = 0;
        depth = SMALLEST;
        asked.clear();
    }
}
