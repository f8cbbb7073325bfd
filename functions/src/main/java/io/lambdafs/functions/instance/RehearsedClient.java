package io.lambdafs.functions.instance;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.Register;
import java.net.InetSocketAddress;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** The client in a rehearsal: a TCP server for the one instance that it wakes by HTTP. Thread-safe. */
final class RehearsedClient implements ConnectionHandler, AutoCloseable {
    private final String registration = UUID.randomUUID().toString();
    private final CompletableFuture<Connection> registered = new CompletableFuture<>();
    private final CompletionStage<Transport.Listener> listener;

    RehearsedClient(Transport transport) {
        listener = transport.listen(new InetSocketAddress(Hosts.loopback(), 0), this);
    }

    /** Returns the server as an element of a call's {@code "tcp"}. */
    CompletionStage<String> offer() {
        return listener.thenApply(open -> "{\"host\":\"" + open.address().getHostString() + "\",\"port\":"
                + open.address().getPort() + ",\"registration\":\"" + registration + "\"}");
    }

    /** Returns the connection opened by the instance. */
    CompletionStage<Connection> registered() {
        return registered;
    }

    @Override
    public void request(Connection connection, Message message, Consumer<Message> reply) {
        if (message instanceof Register register && register.registration().equals(registration)) {
            connection.markAuthenticated();
            reply.accept(Done.DONE);
            registered.complete(connection);
        } else {
            reply.accept(new Failed(ErrorCode.UNAUTHENTICATED, "not a registration of this rehearsal"));
            connection.close();
        }
    }

    @Override
    public void close() {
        listener.thenAccept(Transport.Listener::close);
        registered.thenAccept(Connection::close);
    }
}
