package io.lambdafs.rpc.http.body;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request, taken piece by piece while it comes. No more is read from the peer than is asked for, but for
 * what one read of its connection brings. For one taker at a time; thread-safe.
 */
public final class HttpBody {
    private static final byte[] END = new byte[0];

    private final Runnable read;
    private final Deque<byte[]> pieces = new ArrayDeque<>();
    private boolean ended;
    private boolean dropped;
    private @Nullable IOException failure;
    private @Nullable CompletableFuture<byte[]> waiting;

    /** @param read reads from the connection, from any thread */
    public HttpBody(Runnable read) {
        this.read = read;
    }

    /** Returns what has come since the last piece, or comes next; an empty piece is the end. */
    public CompletionStage<byte[]> next() {
        CompletableFuture<byte[]> later = new CompletableFuture<>();
        synchronized (this) {
            if (!pieces.isEmpty()) {
                return CompletableFuture.completedFuture(joined());
            }
            if (failure != null) {
                return CompletableFuture.failedFuture(failure);
            }
            if (ended) {
                return CompletableFuture.completedFuture(END);
            }
            waiting = later;
        }
        read.run();
        return later;
    }

    private byte[] joined() {
        byte[] first = pieces.remove();
        if (pieces.isEmpty()) {
            return first;
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(first);
        pieces.forEach(all::writeBytes);
        pieces.clear();
        return all.toByteArray();
    }

    /** Returns whether nothing more comes. */
    public synchronized boolean isOver() {
        return ended;
    }

    /** Returns whether somebody waits for a piece. */
    public synchronized boolean isAwaited() {
        return waiting != null;
    }

    /** Drops what is there and what comes: nobody takes it. */
    public synchronized void drop() {
        dropped = true;
        pieces.clear();
    }

    /** Adds a piece that has come. */
    public void add(byte[] piece) {
        CompletableFuture<byte[]> taker;
        synchronized (this) {
            if (piece.length == 0 || dropped) {
                return;
            }
            taker = waiting;
            waiting = null;
            if (taker == null) {
                pieces.add(piece);
            }
        }
        if (taker != null) {
            taker.complete(piece);
        }
    }

    /** Ends it: all of it has come. */
    public void end() {
        CompletableFuture<byte[]> taker;
        synchronized (this) {
            ended = true;
            taker = waiting;
            waiting = null;
        }
        if (taker != null) {
            taker.complete(END);
        }
    }

    /** Ends it before its end. */
    public void fail(IOException why) {
        CompletableFuture<byte[]> taker;
        synchronized (this) {
            if (ended) {
                return;
            }
            failure = why;
            taker = waiting;
            waiting = null;
        }
        if (taker != null) {
            taker.completeExceptionally(why);
        }
    }
}
