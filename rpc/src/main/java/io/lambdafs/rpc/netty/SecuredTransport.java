package io.lambdafs.rpc.netty;

import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Transport;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.CompletionStage;

/**
 * A transport with TLS on TCP connections; those over Unix domain sockets stay on this machine and have none.
 * Thread-safe.
 */
record SecuredTransport(NettyTransport transport, ChannelSecurity security) implements Transport {
    @Override
    public CompletionStage<Listener> listen(InetSocketAddress address, ConnectionHandler handler) {
        return transport.listen(address, handler, security);
    }

    @Override
    public CompletionStage<Connection> connect(InetSocketAddress address, ConnectionHandler handler) {
        return transport.connect(address, handler, security);
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
