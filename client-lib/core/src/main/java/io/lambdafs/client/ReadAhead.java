package io.lambdafs.client;

import io.lambdafs.client.block.Received;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sequential read-ahead: reads a file through windows, prefetching the next ones, further and further ahead during
 * sequential reads. After a seek it starts with a small window again. Blocks. For one thread at a time.
 */
public final class ReadAhead {
    private static final int SMALLEST = 128 << 10;
    private static final int MOST_AHEAD = 4 << 20;
    private static final long UNKNOWN = -1;
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final FileReader reader;
    private final Windows windows;
    /** Guards the fields below. */
    private final ReentrantLock using = new ReentrantLock();

    private ByteBuffer window = NONE;
    private long windowAt;
    /** How many bytes may be requested beyond the window. */
    private int depth = SMALLEST;

    private final Deque<Next> asked = new ArrayDeque<>();

    /**
     * A requested window.
     *
     * @param end {@link #UNKNOWN} until its bytes have arrived, if its block has not been located
     */
    private record Next(long at, long end, CompletionStage<Received> received) {}

    public ReadAhead(FileReader reader) {
        this(reader, Windows.OF_PROCESS);
    }

    ReadAhead(FileReader reader, Windows windows) {
        this.reader = reader;
        this.windows = windows;
    }

    /**
     * Reads bytes of the file: at least one, at most the buffer's remaining space.
     *
     * @param from less than the length
     */
    public int read(long from, ByteBuffer into) throws InterruptedException {
        using.lockInterruptibly();
        try {
            if (from < windowAt || from >= end()) {
                move(from);
            }
            int at = (int) (from - windowAt);
            int copied = Math.min(into.remaining(), window.limit() - at);
            into.put(into.position(), window, at, copied);
            into.position(into.position() + copied);
            return copied;
        } finally {
            using.unlock();
        }
    }

    private long end() {
        return windowAt + window.limit();
    }

    private void move(long from) throws InterruptedException {
        boolean follows = from == end();
        depth = follows ? Math.min(MOST_AHEAD, 2 * depth) : SMALLEST;
        Next next = asked.poll();
        if (next == null || next.at() != from) {
            forget(next);
            next = ask(from);
        }
        ByteBuffer before = window;
        window = BlockingLambdaFs.await(
                BlockingLambdaFs.await(next.received()).check().get());
        windowAt = from;
        windows.giveBack(before);
        if (follows) {
            askAhead();
        }
    }

    private void askAhead() {
        long most = Math.min(reader.length(), end() + depth);
        long at = asked.isEmpty() ? end() : asked.getLast().end();
        while (at != UNKNOWN && at < most) {
            Next next = ask(at);
            asked.add(next);
            at = next.end();
        }
    }

    private Next ask(long at) {
        // Aligned, so that its bytes come in whole pieces.
        int length = depth < Windows.BYTES ? depth : (int) (Windows.BYTES - at % Windows.BYTES);
        int part = reader.part(at, length);
        return new Next(
                at,
                part == 0 ? UNKNOWN : at + part,
                reader.receive(at, length, depth < Windows.BYTES ? ByteBuffer::allocate : windows));
    }

    /** Drops buffered windows. While another thread reads it does nothing: the garbage collector drops them. */
    public void drop() {
        if (!using.tryLock()) {
            return;
        }
        try {
            windows.giveBack(window);
            window = NONE;
            windowAt = 0;
            depth = SMALLEST;
            forget(asked.poll());
        } finally {
            using.unlock();
        }
    }

    private void forget(@Nullable Next first) {
        for (Next next = first; next != null; next = asked.poll()) {
            next.received().thenAccept(received -> windows.giveBack(received.buffer()));
        }
    }
}
