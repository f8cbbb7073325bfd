package io.lambdafs.rpc;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsPeers;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The SPI of a transport: listens, dials and carries frames. One per process; thread-safe. */
public interface Transport extends AutoCloseable {
    /** Maximum frame before the peer is authenticated, in bytes. */
    int MAX_FRAME_UNAUTHENTICATED = 64 << 10;
    /** Maximum frame, in bytes. */
    int MAX_FRAME = 4 << 20;

    /**
     * Accepts connections.
     *
     * @param address to listen on; port 0 takes any free one
     * @return the listener; fails with {@code UNAVAILABLE} naming the address if it cannot be bound
     */
    CompletionStage<Listener> listen(InetSocketAddress address, ConnectionHandler handler);

    /**
     * Opens a connection.
     *
     * @return the connection; fails with {@code UNAVAILABLE} naming the address if there is no answer within the limit,
     *     with a {@link ConnectionRefusedException} as cause if nothing listens there
     */
    CompletionStage<Connection> connect(InetSocketAddress address, ConnectionHandler handler);

    /**
     * Accepts connections from processes on this machine by a Unix domain socket, if the transport supports that.
     *
     * @param socket a path of at most about a hundred bytes, depending on the system; an existing file may be replaced
     * @return the listener; fails with {@code UNAVAILABLE} naming the path
     */
    default CompletionStage<LocalListener> listen(Path socket, ConnectionHandler handler) {
        return CompletableFuture.failedFuture(noLocalSockets(socket));
    }

    /** Opens a connection to such a socket; fails with {@code UNAVAILABLE} naming the path if nothing listens there. */
    default CompletionStage<Connection> connect(Path socket, ConnectionHandler handler) {
        return CompletableFuture.failedFuture(noLocalSockets(socket));
    }

    /**
     * Returns this transport with TLS on its TCP connections, closed together with this one.
     *
     * @throws FsException {@code UNSUPPORTED} if this kind has no TLS
     */
    default Transport secured(Tls tls, TlsPeers peers) {
        throw new FsException(ErrorCode.UNSUPPORTED, "this transport has no TLS: use netty, or do without TLS");
    }

    /**
     * Returns this transport at an emulated distance, for experiments: what arrives over its TCP connections is handed
     * on later by a round trip, in order. The other end is left as it is: its messages pay for both ways. Closed
     * together with this one.
     *
     * @param roundTrip zero for none
     * @throws FsException {@code UNSUPPORTED} if this kind cannot emulate one
     */
    default Transport distant(Duration roundTrip) {
        if (roundTrip.isZero()) {
            return this;
        }
        throw new FsException(ErrorCode.UNSUPPORTED, "this transport emulates no distance: use netty");
    }

    private static FsException noLocalSockets(Path socket) {
        return FsException.unavailable("cannot use " + socket + ": this transport has no sockets in the file system");
    }

    /** Closes all listeners and connections. */
    @Override
    void close();

    /** An accepting Unix domain socket. */
    interface LocalListener {
        /** Stops accepting; completes when the path is no longer used, though its file may remain. Idempotent. */
        CompletionStage<Void> close();
    }

    /** An accepting socket. */
    interface Listener {
        InetSocketAddress address();

        /** Stops accepting. Whether already accepted connections survive is up to the transport. Idempotent. */
        void close();
    }
}
