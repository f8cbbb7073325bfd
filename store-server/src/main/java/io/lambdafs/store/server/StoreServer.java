package io.lambdafs.store.server;

import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.auth.ServiceProof;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.store.MetadataStore;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a store to other processes. Both ends of a connection prove that they belong to the cluster. A connection's
 * transactions end with it. Thread-safe; replies are sent from the threads that complete the store's stages.
 */
public final class StoreServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreServer.class);

    private final Transport.Listener listener;
    private final ConcurrentMap<String, StoreSession> clients;

    private StoreServer(Transport.Listener listener, ConcurrentMap<String, StoreSession> clients) {
        this.listener = listener;
        this.clients = clients;
    }

    /**
     * Starts serving.
     *
     * @param transport with a codec that knows {@link StoreMessages}; the caller closes it after this server and after
     *     the store whose tasks it runs
     * @param address to listen on; port 0 takes any free one
     * @return the server; fails with {@code UNAVAILABLE} naming the address
     */
    public static CompletionStage<StoreServer> start(
            MetadataStore store, Transport transport, Tokens tokens, InetSocketAddress address) {
        return start(store, Optional::empty, transport, tokens, address);
    }

    /**
     * Starts listening.
     *
     * @param refusal why it does not serve yet, reported to clients so that they try another server
     */
    public static CompletionStage<StoreServer> start(
            MetadataStore store,
            Supplier<Optional<FsException>> refusal,
            Transport transport,
            Tokens tokens,
            InetSocketAddress address) {
        // With port 0, no client can dial a port before it is known here.
        AtomicInteger port = new AtomicInteger(address.getPort());
        ConcurrentMap<String, StoreSession> clients = new ConcurrentHashMap<>();
        Handler behind = new Handler(store, refusal, clients, ChangedBytes.ofMemory());
        return transport
                .listen(address, new ServiceProof(tokens).door(() -> service(port.get()), behind))
                .thenApply(listener -> {
                    port.set(listener.address().getPort());
                    return new StoreServer(listener, clients);
                });
    }

    /** Returns the service name of a store server at a port, distinct for each port. */
    static String service(int port) {
        return "the store at port " + port;
    }

    public InetSocketAddress address() {
        return listener.address();
    }

    /** Returns the number of connected clients that have given their name. */
    int clients() {
        return clients.size();
    }

    /** Stops accepting connections. Open ones are closed by their transport. */
    @Override
    public void close() {
        listener.close();
    }

    /** @param clients the latest session of each named client */
    private record Handler(
            MetadataStore store,
            Supplier<Optional<FsException>> refusal,
            ConcurrentMap<String, StoreSession> clients,
            ChangedBytes changedBytes)
            implements ConnectionHandler {
        @Override
        public void opened(Connection connection) {
            connection.attach(new StoreSession(store, changedBytes, connection::expectRequest));
            LOG.debug("{} uses the store", connection.remoteAddress());
        }

        @Override
        public void request(Connection connection, Message message, Consumer<Message> reply) {
            if (!(connection.attachment() instanceof StoreSession session)) {
                reply.accept(Failed.of(new IllegalStateException("no session is open on the connection")));
            } else if (message instanceof StoreMessage.Supersede supersede) {
                reply.accept(supersede(session, supersede.client()));
            } else if (message instanceof StoreMessage.Request request) {
                session.request(request, reply);
            } else {
                reply.accept(Failed.of(new IllegalArgumentException(
                        "the store does not answer " + message.getClass().getSimpleName())));
            }
        }

        private Message supersede(StoreSession session, String client) {
            Optional<FsException> why = refusal.get();
            if (why.isPresent()) {
                return Failed.of(why.get());
            }
            session.client(client);
            StoreSession before = clients.put(client, session);
            if (before != null) {
                before.close();
            }
            return Done.DONE;
        }

        @Override
        public void closed(Connection connection) {
            if (connection.attachment() instanceof StoreSession session) {
                session.close();
                clients.remove(session.client(), session);
            }
        }
    }
}
