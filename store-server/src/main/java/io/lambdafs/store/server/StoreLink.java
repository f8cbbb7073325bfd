package io.lambdafs.store.server;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Scheduler;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Done;
import io.lambdafs.rpc.Failed;
import io.lambdafs.rpc.Message;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.auth.ServiceProof;
import java.net.InetSocketAddress;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one authenticated connection to a store server: when it stands, nothing that was sent on the one before can take effect any more,
 * but for commits that are on their way to the disk. A lost one is dialled anew at once, and whoever asks meanwhile waits for
 * that one attempt; after a failed attempt everybody is refused until one succeeds, with pauses that double, with jitter, from
 * 50 ms to 2 s. Thread-safe.
 */
final class StoreLink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreLink.class);
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LAST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long PROOF_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** The server never asks anything. */
    private static final ConnectionHandler SILENT = new ConnectionHandler() {
        @Override
        public void request(Connection connection, Message message, Consumer<Message> reply) {
            reply.accept(Failed.of(new IllegalArgumentException("a store client answers nothing")));
        }
    };

    private final Transport transport;
    private final Scheduler scheduler;
    private final InetSocketAddress address;
    private final ServiceProof proof;
    /** By which the server knows a connection for the successor of another. */
    private final String name = UUID.randomUUID().toString();

    private CompletableFuture<Connection> current = new CompletableFuture<>();
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private @Nullable Connection standing;
    private boolean closed;

    StoreLink(Transport transport, Scheduler scheduler, InetSocketAddress address, ServiceProof proof) {
        this.transport = transport;
        this.scheduler = scheduler;
        this.address = address;
        this.proof = proof;
    }

    /** The connection; fails {@code UNAVAILABLE}, or as the server refused the proof. */
    synchronized CompletionStage<Connection> connection() {
        return current;
    }

    void dial() {
        CompletionStage<Connection> dialled;
        try {
            dialled = transport.connect(address, SILENT).thenCompose(this::prove);
        } catch (RuntimeException e) {
            dialled = CompletableFuture.failedFuture(e);
        }
        dialled.whenComplete((connection, thrown) -> {
            if (thrown == null) {
                stands(connection);
            } else {
                failed(FsException.of(thrown));
            }
        });
    }

    private CompletionStage<Connection> prove(Connection connection) {
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
        synchronized (this) {
            if (closed) {
                connection.close();
                return;
            }
            standing = connection;
            pauseNanos = FIRST_PAUSE_NANOS;
            if (current.isDone()) {
                current = new CompletableFuture<>();
            }
            waiting = current;
        }
        LOG.info("Connected to the store at {}", address);
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
        LOG.info("Lost the connection to the store at {}", address);
        dial();
    }

    private void failed(FsException why) {
        FsException told = why.code() == ErrorCode.UNAUTHENTICATED || why.code() == ErrorCode.TOKEN_EXPIRED
                ? why
                : unavailable(why.getMessage() + "; it is tried again");
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
            scheduler.schedule(pause, this::dial);
        } catch (RuntimeException e) {
            LOG.warn("The store at {} is not tried again: {}", address, e.toString());
        }
    }

    private FsException unavailable(@Nullable String why) {
        return new FsException(ErrorCode.UNAVAILABLE, "the store at " + address + " cannot be reached: " + why);
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
