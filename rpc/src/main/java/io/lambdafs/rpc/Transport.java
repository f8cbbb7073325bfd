package io.lambdafs.rpc;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsPeers;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
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

    /**
     * Accepts connections of processes on this machine, by a socket in the file system (where the transport has such).
     *
     * @param socket a path of some hundred bytes at most, as the machine has it; a file that is there may be replaced
     * @return the listener; fails with {@code UNAVAILABLE} naming the path
     */
    default CompletionStage<LocalListener> listen(Path socket, ConnectionHandler handler) {
        return CompletableFuture.failedFuture(noLocalSockets(socket));
    }

    /** Opens a connection to such a socket; fails with {@code UNAVAILABLE} naming the path when nobody listens there. */
    default CompletionStage<Connection> connect(Path socket, ConnectionHandler handler) {
        return CompletableFuture.failedFuture(noLocalSockets(socket));
    }

    /**
     * This transport with TLS on its connections over TCP. It is closed with this one.
     *
     * @throws FsException {@code UNSUPPORTED}: this kind has no TLS
     */
    default Transport secured(Tls tls, TlsPeers peers) {
        throw new FsException(ErrorCode.UNSUPPORTED, "this transport has no TLS: use netty, or do without TLS");
    }

    private static FsException noLocalSockets(Path socket) {
        return new FsException(
                ErrorCode.UNAVAILABLE, "cannot use " + socket + ": this transport has no sockets in the file system");
    }

    /** Closes all listeners and connections. */
    @Override
    void close();

    /** An accepting socket in the file system. */
    interface LocalListener {
        /** Stops accepting; completes when the path is no longer touched, whether its file remains or not. Idempotent. */
        CompletionStage<Void> close();
    }

    /** An accepting socket. */
    interface Listener {
        InetSocketAddress address();

        /** Stops accepting. Whether already accepted connections survive is up to the transport. Idempotent. */
        void close();
    }
}
