package io.lambdafs.functions.serving;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.auth.Authentication;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.rpc.message.Register;
import io.lambdafs.rpc.transports.TransportKind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TCP connections that an instance opens back to clients that called it by HTTP (the paper's §3.2): one per client
 * server, at most {@link #MAX_CONNECTIONS}, {@link #MAX_PER_USER} of them per user; idle ones make room for new ones.
 * The instance registers on each with the secret from the HTTP call; the client then binds identities to it and sends
 * operations, which are served on the event loop that read them. Thread-safe.
 */
public final class ClientConnections implements ConnectionHandler {
    public static final int MAX_CONNECTIONS = 1_024;
    /** Maximum connections requested by one user's calls. */
    public static final int MAX_PER_USER = 256;
    /** Maximum servers considered per HTTP call. */
    public static final int MAX_SERVERS_PER_CALL = 16;

    private static final Logger log = LoggerFactory.getLogger(ClientConnections.class);
    private static final long REGISTER_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(3);
    /** How long an unreachable server is not dialled again, so that a burst of calls does not dial in a loop. */
    private static final long HOLD_OFF_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /**
     * A client's TCP server.
     *
     * @param transport kind of its connections
     * @param registration one-time secret that identifies the call to the client
     */
    public record Server(String host, int port, TransportKind transport, String registration) {
        public Server {
            if (host.isEmpty() || host.length() > 255 || port < 1 || port > 65_535 || registration.length() > 256) {
                throw FsException.invalidArgument(
                        "not a TCP server's address: a host of 1..255 characters, a port of 1..65535 and a registration of at most"
                                + " 256 characters are needed");
            }
        }

        /** Omits the secret. */
        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    /**
     * The caller whose request offers servers.
     *
     * @param address its source address as seen by the platform; null if unknown
     */
    public record Caller(String user, @Nullable InetAddress address) {}

    /** The registering instance: its deployment, id and current epoch. */
    public record Self(int deployment, String instance, LongSupplier epoch) {}

    private final Function<TransportKind, Transport> transports;
    private final Authentication door;
    private final Self self;
    private final RequestGate gate;
    private final Scheduler scheduler;
    private final ClientRanges allowed;
    /** By the server's address as given, unresolved. */
    private final Map<InetSocketAddress, Link> links = new ConcurrentHashMap<>();

    /** By connection id. */
    private final Map<Long, Link> byConnection = new ConcurrentHashMap<>();

    private volatile boolean closed;

    /**
     * Creates an instance without connections.
     *
     * @param transports one of each kind a client may use
     * @param allowed addresses that may be dialled
     */
    public ClientConnections(
            Function<TransportKind, Transport> transports,
            Tokens tokens,
            Self self,
            RequestGate gate,
            Scheduler scheduler,
            ClientRanges allowed) {
        this.allowed = allowed;
        this.transports = transports;
        this.door = Authentication.ofClients(tokens, this);
        this.self = self;
        this.gate = gate;
        this.scheduler = scheduler;
    }

    /** A connection, dialling or open; null while dialling. */
    private static final class Link {
        final String user;
        volatile @Nullable Connection connection;
        volatile boolean failed;
        /** True if used since the last sweep; set by any request, and updates may be lost. */
        boolean used = true;

        Link(String user) {
            this.user = user;
        }

        boolean stands() {
            return connection != null && !failed;
        }
    }

    /**
     * Opens connections in the background to the servers that have none. Never blocks and never fails.
     *
     * @param caller whose call offers them
     */
    public void reach(Caller caller, List<Server> servers) {
        String user = caller.user();
        for (Server server : servers.subList(0, Math.min(servers.size(), MAX_SERVERS_PER_CALL))) {
            InetSocketAddress address = InetSocketAddress.createUnresolved(server.host(), server.port());
            if (closed || links.containsKey(address) || !makeRoom(user)) {
                continue;
            }
            Link link = new Link(user);
            if (links.putIfAbsent(address, link) == null) {
                try {
                    // Name resolution may block, so it must not run on an event loop.
                    scheduler.execute(() -> dial(server, address, caller, link));
                } catch (FsException full) {
                    links.remove(address, link);
                }
            }
        }
    }

    /**
     * Returns whether another connection may be opened for a user; at the limit, closes an idle one, whose client will
     * call again.
     */
    private boolean makeRoom(String user) {
        if (links.size() < MAX_PER_USER) {
            return true;
        }
        long own =
                links.values().stream().filter(link -> link.user.equals(user)).count();
        if (own >= MAX_PER_USER) {
            return evict(link -> link.user.equals(user));
        }
        return links.size() < MAX_CONNECTIONS || evict(link -> true);
    }

    /** Closes an idle connection, or any if all were used; then clears all used marks. */
    private synchronized boolean evict(Predicate<Link> among) {
        List<Map.Entry<InetSocketAddress, Link>> candidates = links.entrySet().stream()
                .filter(each -> among.test(each.getValue()) && each.getValue().stands())
                .toList();
        for (Map.Entry<InetSocketAddress, Link> each : candidates) {
            if (!each.getValue().used && evict(each)) {
                return true;
            }
        }
        candidates.forEach(each -> each.getValue().used = false);
        return candidates.stream().anyMatch(this::evict);
    }

    private boolean evict(Map.Entry<InetSocketAddress, Link> each) {
        Connection connection = each.getValue().connection;
        if (connection == null || !links.remove(each.getKey(), each.getValue())) {
            return false;
        }
        log.info("The connection to the client at {} makes room for another", each.getKey());
        connection.close();
        return true;
    }

    /**
     * Checks servers given by address; names are resolved and checked when dialled.
     *
     * @throws FsException {@code PERMISSION_DENIED} if one may not be dialled
     */
    public void demand(Caller caller, List<Server> servers) {
        for (Server server : servers) {
            InetAddress address = ClientRanges.literal(server.host());
            if (address != null) {
                allowed.demand(address, caller.address());
            }
        }
    }

    private void dial(Server server, InetSocketAddress address, Caller caller, Link link) {
        connect(server, caller)
                .thenCompose(connection -> {
                    link.connection = connection;
                    byConnection.put(connection.id(), link);
                    connection.closed().thenRun(() -> {
                        byConnection.remove(connection.id());
                        lost(server, address, link);
                    });
                    if (closed) {
                        connection.close();
                    }
                    long epoch = self.epoch().getAsLong();
                    return connection.request(
                            new Register(self.deployment(), self.instance(), epoch, server.registration()),
                            REGISTER_TIMEOUT_NANOS);
                })
                .whenComplete((answer, failure) -> registered(server, address, link, answer, failure));
    }

    private CompletionStage<Connection> connect(Server server, Caller caller) {
        InetSocketAddress address = new InetSocketAddress(server.host(), server.port());
        if (address.isUnresolved()) {
            return CompletableFuture.failedFuture(
                    FsException.unavailable("the host name " + address.getHostString() + " is not known here"));
        }
        try {
            allowed.demand(address.getAddress(), caller.address());
            return transports.apply(server.transport()).connect(address, door);
        } catch (FsException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private void registered(
            Server server,
            InetSocketAddress address,
            Link link,
            @Nullable Message answer,
            @Nullable Throwable failure) {
        if (answer instanceof Done) {
            log.info(
                    "Connected to the client at {} ({})",
                    server,
                    server.transport().label());
            return;
        }
        String why = answer instanceof Failed refused
                ? refused.message()
                : failure == null
                        ? "an answer of another kind"
                        : FsException.of(failure).getMessage();
        log.info("Could not register with the client at {}: {}", server, why);
        link.failed = true;
        Connection connection = link.connection;
        if (connection != null) {
            connection.close();
        }
        try {
            scheduler.schedule(HOLD_OFF_NANOS, () -> links.remove(address, link));
        } catch (FsException full) {
            links.remove(address, link);
        }
    }

    private void lost(Server server, InetSocketAddress address, Link link) {
        if (!link.failed && links.remove(address, link)) {
            log.info("The connection to the client at {} has closed", server);
        }
    }

    @Override
    public void opened(Connection connection) {
        Link link = byConnection.get(connection.id());
        if (link != null) {
            connection.attach(link);
        }
    }

    /** {@inheritDoc} Called for messages of an authenticated peer; bindings are handled elsewhere. */
    @Override
    public void request(Connection connection, Message message, Consumer<Message> reply) {
        if (!(message instanceof OperationRequest request)) {
            reply.accept(new Failed(
                    ErrorCode.BAD_FRAME,
                    "an instance takes operations here, not "
                            + message.getClass().getSimpleName()));
            return;
        }
        if (connection.attachment() instanceof Link link && !link.used) {
            link.used = true;
        }
        Principal caller;
        try {
            caller = Authentication.principal(connection, request.principal());
        } catch (FsException unbound) {
            reply.accept(gate.refusal(unbound.code(), Reply.Failure.of(unbound).message()));
            return;
        }
        gate.serveTcp(caller, request, reply::accept);
    }

    /** Returns the number of open connections. */
    public int count() {
        int standing = 0;
        for (Link link : links.values()) {
            Connection connection = link.connection;
            standing += connection != null && connection.isOpen() ? 1 : 0;
        }
        return standing;
    }

    /** Accepts requests for connections again. */
    public void open() {
        closed = false;
    }

    /** Opens no more connections and closes open ones after sending pending replies. Idempotent. */
    public void close() {
        closed = true;
        for (Link link : links.values()) {
            Connection connection = link.connection;
            if (connection != null) {
                connection.close();
            }
        }
    }
}
