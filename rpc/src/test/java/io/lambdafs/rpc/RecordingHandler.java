package io.lambdafs.rpc;

import io.lambdafs.rpc.message.Message;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Echoes what it is asked, unless told otherwise, and remembers its connections. Thread-safe. */
class RecordingHandler implements ConnectionHandler {
    /** Answers one request. */
    @FunctionalInterface
    interface Answer {
        void request(Connection connection, Message message, Consumer<Message> reply);
    }

    final List<Connection> opened = new CopyOnWriteArrayList<>();
    final List<Connection> closed = new CopyOnWriteArrayList<>();
    volatile Answer answer = (connection, message, reply) -> reply.accept(message);

    @Override
    public void opened(Connection connection) {
        opened.add(connection);
    }

    @Override
    public void request(Connection connection, Message message, Consumer<Message> reply) {
        answer.request(connection, message, reply);
    }

    @Override
    public void closed(Connection connection) {
        closed.add(connection);
    }
}
