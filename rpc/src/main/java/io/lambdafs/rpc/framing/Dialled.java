package io.lambdafs.rpc.framing;

import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.message.Message;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Completes the dialling caller's future once the connection is open and the handler has been called. Thread-safe. */
public record Dialled(ConnectionHandler handler, CompletableFuture<Connection> result) implements ConnectionHandler {
    @Override
    public void opened(Connection connection) {
        handler.opened(connection);
        result.complete(connection);
    }

    @Override
    public void request(Connection connection, Message message, Consumer<Message> reply) {
        handler.request(connection, message, reply);
    }

    @Override
    public void closed(Connection connection) {
        if (!result.isDone()) {
            result.completeExceptionally(FsException.unavailable(
                    connection + " was closed while it was opened: see the log; connect again"));
        }
        handler.closed(connection);
    }
}
