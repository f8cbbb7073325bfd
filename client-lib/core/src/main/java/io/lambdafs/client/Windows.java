package io.lambdafs.client;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Direct buffers for read-ahead, into which the system puts received bytes. A limited number is kept for the next
 * stream; beyond it there are heap buffers. Those of a stream that is never closed are lost with it. Thread-safe.
 */
final class Windows implements IntFunction<ByteBuffer> {
    /** Size of each; small, so that received bytes are still in the processor's cache when read. */
    static final int BYTES = 1 << 20;

    private static final int MOST = 64;
    private static final int SHARE_OF_HEAP = 8;

    static final Windows OF_PROCESS =
            new Windows((int) Math.min(MOST, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP / BYTES));

    private final int most;
    /** Most recently returned first: it may still be in the processor's cache. */
    private final Deque<ByteBuffer> free = new ArrayDeque<>();

    private final List<WeakReference<ByteBuffer>> made = new ArrayList<>();

    Windows(int most) {
        this.most = most;
    }

    /** Returns an empty buffer, for at most this many bytes: {@value #BYTES}. */
    @Override
    public synchronized ByteBuffer apply(int bytes) {
        ByteBuffer kept = free.poll();
        if (kept != null) {
            return kept.clear();
        }
        if (made.size() >= most) {
            made.removeIf(each -> each.refersTo(null));
        }
        if (made.size() >= most) {
            return ByteBuffer.allocate(bytes);
        }
        ByteBuffer window = ByteBuffer.allocateDirect(BYTES);
        made.add(new WeakReference<>(window));
        return window;
    }

    @SuppressWarnings("ReferenceEquality") // A buffer equals another one with the same content.
    private static boolean isSame(ByteBuffer one, ByteBuffer other) {
        return one == other;
    }

    /** Takes back a buffer that is no longer used; ignores one of another kind, or already given back. */
    synchronized void giveBack(ByteBuffer buffer) {
        if (buffer.isDirect()
                && made.stream().anyMatch(each -> each.refersTo(buffer))
                && free.stream().noneMatch(each -> isSame(each, buffer))) {
            free.push(buffer);
        }
    }
}
