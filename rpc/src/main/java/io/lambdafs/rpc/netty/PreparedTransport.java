package io.lambdafs.rpc.netty;

import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Transport;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * A transport whose TCP connections have TLS or an emulated distance; those over Unix domain sockets stay on this
 * machine and have neither. Thread-safe.
 */
record PreparedTransport(NettyTransport transport, Preparation preparation) implements Transport {
    @Override
    public Transport distant(Duration roundTrip) {
        return roundTrip.isZero() ? this : new PreparedTransport(transport, preparation.at(roundTrip));
    }

    @Override
    public CompletionStage<Listener> listen(InetSocketAddress address, ConnectionHandler handler) {
        return transport.listen(address, handler, preparation);
    }

    @Override
    public CompletionStage<Connection> connect(InetSocketAddress address, ConnectionHandler handler) {
        return transport.connect(address, handler, preparation);
    }

    @Override
    public CompletionStage<LocalListener> listen(Path socket, ConnectionHandler handler) {
        return transport.listen(socket, handler);
    }

    @Override
    public CompletionStage<Connection> connect(Path socket, ConnectionHandler handler) {
        return transport.connect(socket, handler);
    }

    @Override
    public void close() {
        transport.close();
    }
}
