package io.lambdafs.datanode.server;

import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.message.Message;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A client's connection without a network. Not thread-safe. */
final class Wire implements Connection {
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private boolean isAuthenticated;
    private @Nullable Object attachment;

    @Override
    public long id() {
        return 1;
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
    public boolean isOpen() {
        return !closed.isDone();
    }

    @Override
    public void close() {
        closed.complete(null);
    }

    @Override
    public CompletionStage<Void> closed() {
        return closed;
    }

    @Override
    public void markAuthenticated() {
        isAuthenticated = true;
    }

    @Override
    public boolean isAuthenticated() {
        return isAuthenticated;
    }

    @Override
    public @Nullable Object attachment() {
        return attachment;
    }

    @Override
    public void attach(Object to) {
        attachment = to;
    }
}
