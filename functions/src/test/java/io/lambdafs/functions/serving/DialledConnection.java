package io.lambdafs.functions.serving;

import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.ConnectionState;
import io.lambdafs.rpc.message.Message;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A connection that goes nowhere: keeps what is asked by it, and lets a test answer, and ask in place of the other end. Not thread-safe. */
final class DialledConnection extends ConnectionState {
    final InetSocketAddress address;
    final List<Message> asked = new ArrayList<>();
    final CompletableFuture<Message> registered = new CompletableFuture<>();

    private final ConnectionHandler handler;

    DialledConnection(long id, InetSocketAddress address, ConnectionHandler handler) {
        super(id);
        this.address = address;
        this.handler = handler;
    }

    /** Returns the instance's answer to a message; null while it has not answered. */
    @Nullable
    Message answer(Message message) {
        List<Message> answers = new ArrayList<>();
        handler.request(this, message, answers::add);
        return answers.isEmpty() ? null : answers.get(0);
    }

    @Override
    public CompletionStage<Message> request(Message message, long timeoutNanos) {
        asked.add(message);
        return registered;
    }

    @Override
    public SocketAddress remoteAddress() {
        return address;
    }

    @Override
    public int inFlight() {
        return 0;
    }

    @Override
    public void close() {
        if (markClosed()) {
            handler.closed(this);
        }
    }

    @Override
    public boolean isAuthenticated() {
        return attachment() != null;
    }
}
