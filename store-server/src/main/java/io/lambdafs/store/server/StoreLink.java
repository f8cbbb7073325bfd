package io.lambdafs.store.server;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.auth.ServiceProof;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains one authenticated connection to a store server, or to one of several. Once a new connection is open,
 * nothing sent on the previous one can take effect, except commits already being written. A lost connection is
 * redialled at once, at each server in turn, while callers wait for that attempt; after it fails, callers are refused
 * until a later attempt succeeds, with pauses doubling from 50 ms to 2 s, with jitter. If an answer is late and another
 * server is active, that one is used instead (PROTOCOL: D8). Thread-safe.
 */
final class StoreLink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreLink.class);
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LAST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long PROOF_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** The server never sends requests. */
    private static final ConnectionHandler SILENT = new ConnectionHandler() {
        @Override
        public void request(Connection connection, Message message, Consumer<Message> reply) {
            reply.accept(Failed.of(new IllegalArgumentException("a store client answers nothing")));
        }
    };

    private final Transport transport;
    private final Scheduler scheduler;
    private final List<InetSocketAddress> addresses;
    private final ServiceProof proof;
    /** Identifies this client, so that the server recognises a successor connection. */
    private final String name = UUID.randomUUID().toString();

    private CompletableFuture<Connection> current = new CompletableFuture<>();
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private @Nullable Connection standing;
    /** Index of the server in use or being tried. */
    private int at;
    /** Servers that failed since the last open connection or pause. */
    private int failures;

    private boolean doubting;
    private boolean closed;
    private volatile long callLimitNanos = StoreClient.CALL_LIMIT.toNanos();

    /** @param addresses at least one; one of several servers is active at a time */
    StoreLink(Transport transport, Scheduler scheduler, List<InetSocketAddress> addresses, ServiceProof proof) {
        this.transport = transport;
        this.scheduler = scheduler;
        this.addresses = List.copyOf(addresses);
        this.proof = proof;
    }

    void limitCalls(Duration limit) {
        callLimitNanos = limit.toNanos();
    }

    /** Returns the time limit of a call. */
    long callLimitNanos() {
        return callLimitNanos;
    }

    /** Returns the connection; fails {@code UNAVAILABLE}, or with the server's refusal of the proof. */
    synchronized CompletionStage<Connection> connection() {
        return current;
    }

    void dial() {
        int server;
        synchronized (this) {
            server = at;
        }
        dial(server).whenComplete((connection, thrown) -> {
            if (thrown == null) {
                stands(connection);
            } else {
                failed(server, FsException.of(thrown));
            }
        });
    }

    private CompletionStage<Connection> dial(int server) {
        InetSocketAddress address = addresses.get(server);
        try {
            return transport.connect(address, SILENT).thenCompose(connection -> prove(connection, address));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletionStage<Connection> prove(Connection connection, InetSocketAddress address) {
        return proof.give(connection, StoreServer.service(address.getPort()), PROOF_LIMIT_NANOS)
                .thenCompose(proved -> proved.request(new StoreMessage.Supersede(name), PROOF_LIMIT_NANOS))
                .handle((reply, thrown) -> known(connection, reply, thrown));
    }

    private static Connection known(Connection connection, @Nullable Message reply, @Nullable Throwable thrown) {
        if (reply instanceof Done) {
            return connection;
        }
        connection.close();
        if (reply instanceof Failed refused) {
            throw refused.toException();
        }
        throw thrown == null
                ? new IllegalStateException("not an answer to Supersede: " + reply)
                : FsException.of(thrown);
    }

    private void stands(Connection connection) {
        CompletableFuture<Connection> waiting;
        Connection before;
        synchronized (this) {
            if (closed) {
                connection.close();
                return;
            }
            before = standing;
            standing = connection;
            failures = 0;
            pauseNanos = FIRST_PAUSE_NANOS;
            if (current.isDone()) {
                current = new CompletableFuture<>();
            }
            waiting = current;
        }
        if (before != null) {
            before.close();
        }
        LOG.info("Connected to the store at {}", connection.remoteAddress());
        waiting.complete(connection);
        connection.closed().whenComplete((nothing, thrown) -> lost(connection));
    }

    private void lost(Connection connection) {
        synchronized (this) {
            if (closed || standing != connection) {
                return;
            }
            standing = null;
            current = new CompletableFuture<>();
        }
        LOG.info("Lost the connection to the store at {}", connection.remoteAddress());
        dial();
    }

    /** Reports a late answer on a connection: switches to another server if one is active. */
    void doubt(Connection connection) {
        synchronized (this) {
            if (closed || standing != connection || doubting || addresses.size() == 1) {
                return;
            }
            doubting = true;
        }
        look(1);
    }

    synchronized boolean isDoubting() {
        return doubting;
    }

    private void look(int step) {
        int server;
        synchronized (this) {
            if (step == addresses.size()) {
                doubting = false;
                return;
            }
            server = (at + step) % addresses.size();
        }
        dial(server).whenComplete((connection, thrown) -> {
            if (thrown == null) {
                move(server, connection);
            } else {
                look(step + 1);
            }
        });
    }

    private void move(int server, Connection connection) {
        synchronized (this) {
            doubting = false;
            at = server;
        }
        LOG.info("A store server does not answer in time, and the one at {} serves", connection.remoteAddress());
        stands(connection);
    }

    private void failed(int server, FsException why) {
        InetSocketAddress address = addresses.get(server);
        FsException told = why.code() == ErrorCode.UNAUTHENTICATED || why.code() == ErrorCode.TOKEN_EXPIRED
                ? why
                : unavailable(why.getMessage() + "; it is tried again");
        if (isOther(server)) {
            dial();
            return;
        }
        CompletableFuture<Connection> waiting;
        long pause;
        synchronized (this) {
            if (closed) {
                return;
            }
            waiting = current;
            if (waiting.isDone()) {
                current = CompletableFuture.failedFuture(told);
            }
            pause = pauseNanos / 2 + scheduler.random().nextLong(pauseNanos);
            pauseNanos = Math.min(pauseNanos * 2, LAST_PAUSE_NANOS);
        }
        if (waiting.completeExceptionally(told)) {
            LOG.info("No connection to the store at {}: {}", address, why.getMessage());
        }
        try {
            Scheduler.Essential again = this::dial;
            scheduler.schedule(pause, again);
        } catch (RuntimeException e) {
            LOG.warn("The store at {} is not tried again: {}", address, e.toString());
        }
    }

    /** Advances to the next server; returns whether it should be tried before a pause. */
    private synchronized boolean isOther(int server) {
        at = (server + 1) % addresses.size();
        failures++;
        if (failures < addresses.size()) {
            return !closed;
        }
        failures = 0;
        return false;
    }

    private FsException unavailable(@Nullable String why) {
        String where = addresses.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return FsException.unavailable("the store at " + where + " cannot be reached: " + why);
    }

    @Override
    public void close() {
        CompletableFuture<Connection> waiting;
        Connection connection;
        synchronized (this) {
            closed = true;
            waiting = current;
            connection = standing;
            standing = null;
            current = CompletableFuture.failedFuture(unavailable("the client is closed"));
        }
        waiting.completeExceptionally(unavailable("the client is closed"));
        if (connection != null) {
            connection.close();
        }
    }
}
