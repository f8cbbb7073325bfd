package io.lambdafs.rpc;

import java.net.InetSocketAddress;
import java.util.concurrent.CompletionStage;

/** Carries frames. One per process; thread-safe. */
public interface Transport extends AutoCloseable {
    /** Largest frame before the peer has proved who it is, in bytes. */
    int MAX_FRAME_UNAUTHENTICATED = 64 << 10;
    /** Largest frame, in bytes. */
    int MAX_FRAME = 4 << 20;

    /**
     * Accepts connections.
     *
     * @param address where; port 0 takes any free one
     * @return the listener; fails with {@code UNAVAILABLE} naming the address when it cannot be bound
     */
    CompletionStage<Listener> listen(InetSocketAddress address, ConnectionHandler handler);

    /**
     * Opens a connection.
     *
     * @return the connection; fails with {@code UNAVAILABLE} naming the address when nobody answers within the limit, because of a
     *     {@link ConnectionRefusedException} where the other end says that nothing listens there
     */
    CompletionStage<Connection> connect(InetSocketAddress address, ConnectionHandler handler);

    /** Closes all listeners and connections. */
    @Override
    void close();

    /** An accepting socket. */
    interface Listener {
        InetSocketAddress address();

        /** Accepts no more. Whether connections that were accepted stay is the transport's. Idempotent. */
        void close();
    }
}
