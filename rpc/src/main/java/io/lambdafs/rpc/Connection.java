package io.lambdafs.rpc;

import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import java.net.SocketAddress;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A live connection, on which either end may send requests. Thread-safe. */
public interface Connection {
    /** Returns an id unique in this process, for logs and tables. */
    long id();

    SocketAddress remoteAddress();

    /**
     * Sends a request. Requests and replies of one connection are pipelined; replies come in any order. Bursts of
     * writes are flushed together if the transport supports it.
     *
     * @param timeoutNanos how long to wait for the reply
     * @return the reply, possibly a {@link Failed}; fails with an {@code FsException}: {@code CONNECTION_LOST} (closed
     *     before the reply), {@code TIMED_OUT}, {@code OVERLOADED} (too many in flight; nothing was sent), {@code
     *     BAD_FRAME} (message too large; nothing was sent)
     */
    CompletionStage<Message> request(Message message, long timeoutNanos);

    /**
     * Sends a request whose reply may be {@link Tailed}; other replies are allowed too.
     *
     * @param sink receives the bytes after the reply, all of them before the returned stage completes
     */
    default CompletionStage<Message> request(Message message, TailSink sink, long timeoutNanos) {
        return request(message, timeoutNanos);
    }

    /** Returns the number of requests sent and not yet answered. */
    int inFlight();

    boolean isOpen();

    /** Closes the connection; requests in flight fail with {@code CONNECTION_LOST}. Idempotent. */
    void close();

    /**
     * Hints that the peer is likely to send another request once it has the reply being sent now, so the event loop may
     * poll for a while ({@link TransportLimits#lookout}) instead of parking. Effective on the event loop only.
     */
    default void expectRequest() {}

    /** Completes when the connection is closed by either end. */
    CompletionStage<Void> closed();

    /** Marks the peer as authenticated, which raises the inbound frame limit from 64 KiB to 4 MiB. */
    void markAuthenticated();

    boolean isAuthenticated();

    /** Returns the handler's attachment to this connection. */
    @Nullable
    Object attachment();

    void attach(Object attachment);
}
