package io.lambdafs.rpc;

import java.net.SocketAddress;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A live connection; either end may send requests. Thread-safe. */
public interface Connection {
    /** Unique in this process, for logs and tables. */
    long id();

    SocketAddress remoteAddress();

    /**
     * Sends a request. Requests and replies of one connection are pipelined; replies come in any order. Writes of one burst are
     * flushed together where the transport can.
     *
     * @param timeoutNanos how long to wait for the reply
     * @return the reply, a {@link Failed} among them; fails with an {@code FsException}: {@code CONNECTION_LOST} (closed before the reply), {@code TIMED_OUT},
     *     {@code OVERLOADED} (too many in flight; nothing was sent), {@code BAD_FRAME} (message too large; nothing was sent)
     */
    CompletionStage<Message> request(Message message, long timeoutNanos);

    /** Requests sent and not yet answered. */
    int inFlight();

    boolean isOpen();

    /** Closes; requests under way fail with {@code CONNECTION_LOST}. Idempotent. */
    void close();

    /**
     * Says that the peer, as soon as it has the answer that it is given now, is likely to ask for more: a hint by which the event loop may
     * look for requests for a while ({@link TransportLimits#lookout}) rather than go to sleep. On the event loop; elsewhere without effect.
     */
    default void expectRequest() {}

    /** Completes when the connection is closed, by whichever end. */
    CompletionStage<Void> closed();

    /** Says that the peer has proved who it is: raises the inbound frame limit from 64 KiB to 4 MiB. */
    void markAuthenticated();

    boolean isAuthenticated();

    /** What the handler of this connection keeps with it. */
    @Nullable
    Object attachment();

    void attach(Object attachment);
}
