package io.lambdafs.functions.openwhisk;

import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.Register;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A client's TCP server: takes instances that know its secret. Thread-safe. */
public final class ClientServer implements ConnectionHandler {
    public static final String SECRET = "one-time";

    public final List<Register> registered = new CopyOnWriteArrayList<>();
    final List<Connection> connections = new CopyOnWriteArrayList<>();
    final List<Connection> closed = new CopyOnWriteArrayList<>();
    private final Transport.Listener listener;

    public ClientServer(Transport transport) {
        listener = transport
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), this)
                .toCompletableFuture()
                .join();
    }

    public int port() {
        return listener.address().getPort();
    }

    @Override
    public void request(Connection connection, Message message, Consumer<Message> reply) {
        Register register = (Register) message;
        if (!register.registration().equals(SECRET)) {
            reply.accept(new Failed(io.lambdafs.model.ErrorCode.UNAUTHENTICATED, "not my call"));
            return;
        }
        registered.add(register);
        connections.add(connection);
        connection.markAuthenticated();
        reply.accept(Done.DONE);
    }

    @Override
    public void closed(Connection connection) {
        closed.add(connection);
    }
}
