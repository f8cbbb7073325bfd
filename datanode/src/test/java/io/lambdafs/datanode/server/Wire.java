package io.lambdafs.datanode.server;

import io.lambdafs.rpc.ConnectionState;
import io.lambdafs.rpc.message.Message;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.CompletionStage;

/** A client's connection without a network. Not thread-safe. */
final class Wire extends ConnectionState {
    Wire() {
        super(1);
    }

    @Override
    public SocketAddress remoteAddress() {
        return new InetSocketAddress(0);
    }

    @Override
    public CompletionStage<Message> request(Message message, long timeoutNanos) {
        throw new IllegalStateException("a datanode asks nothing");
    }

    @Override
    public int inFlight() {
        return 0;
    }

    @Override
    public void close() {
        markClosed();
    }
}
