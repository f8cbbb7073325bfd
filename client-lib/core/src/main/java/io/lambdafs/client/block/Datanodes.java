package io.lambdafs.client.block;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connections to datanodes. Each block being written or read has its own, and so its own window; afterwards the
 * connection is kept for a while, for the next block. Thread-safe.
 */
final class Datanodes implements AutoCloseable {
    private static final int KEPT_PER_DATANODE = 8;
    private static final long KEPT_NANOS = Duration.ofSeconds(20).toNanos();

    private final Transport transport;
    private final Scheduler scheduler;
    private final Map<DatanodeAddress, Deque<Idle>> idle = new HashMap<>();
    private final Set<Connection> all = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private record Idle(Connection connection, long sinceNanos) {}

    /**
     * A connection and its destination.
     *
     * @param reused whether it may have ended unnoticed by this side
     */
    record Link(DatanodeAddress address, Connection connection, boolean reused) {}

    private static final ConnectionHandler ASKED_NOTHING = new ConnectionHandler() {
        @Override
        public void request(Connection connection, Message message, Consumer<Message> reply) {
            reply.accept(new Failed(ErrorCode.UNSUPPORTED, "a client answers datanodes nothing"));
        }
    };

    Datanodes(Transport transport, Scheduler scheduler) {
        this.transport = transport;
        this.scheduler = scheduler;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    /** Returns a connection for the caller alone, to be given back ({@link #giveBack}) or closed. */
    CompletionStage<Link> take(DatanodeAddress address) {
        @Nullable Connection kept = takeIdle(address);
        if (kept != null) {
            return CompletableFuture.completedFuture(new Link(address, kept, true));
        }
        if (closed) {
            return CompletableFuture.failedFuture(closing());
        }
        return transport
                .connect(new InetSocketAddress(address.host(), address.port()), ASKED_NOTHING)
                .thenApply(connection -> {
                    connection.markAuthenticated();
                    all.add(connection);
                    connection.closed().whenComplete((end, failure) -> all.remove(connection));
                    if (closed) {
                        connection.close();
                        throw closing();
                    }
                    return new Link(address, connection, false);
                });
    }

    private static FsException closing() {
        return new FsException(ErrorCode.CONNECTION_LOST, "this client is closing");
    }

    private synchronized @Nullable Connection takeIdle(DatanodeAddress address) {
        Deque<Idle> kept = idle.get(address);
        while (kept != null && !kept.isEmpty()) {
            Connection connection = kept.pop().connection();
            if (connection.isOpen()) {
                return connection;
            }
        }
        return null;
    }

    /** Takes back a connection without requests in progress. */
    void giveBack(Link link) {
        if (closed || !link.connection().isOpen() || !keep(link)) {
            link.connection().close();
            return;
        }
        try {
            scheduler.schedule(KEPT_NANOS, () -> closeIdle(link.address()));
        } catch (FsException stopping) {
            link.connection().close();
        }
    }

    private synchronized boolean keep(Link link) {
        Deque<Idle> kept = idle.computeIfAbsent(link.address(), address -> new ArrayDeque<>());
        if (kept.size() >= KEPT_PER_DATANODE) {
            return false;
        }
        kept.push(new Idle(link.connection(), scheduler.nanoTime()));
        return true;
    }

    /** The one idle for longest is last. */
    private synchronized void closeIdle(DatanodeAddress address) {
        Deque<Idle> kept = idle.get(address);
        while (kept != null
                && !kept.isEmpty()
                && scheduler.nanoTime() - kept.getLast().sinceNanos() >= KEPT_NANOS) {
            kept.removeLast().connection().close();
        }
        if (kept != null && kept.isEmpty()) {
            idle.remove(address);
        }
    }

    @Override
    public void close() {
        closed = true;
        all.forEach(Connection::close);
    }

    /** Returns the failure in an answer; null if there is none. */
    static @Nullable FsException failure(@Nullable Message answer, @Nullable Throwable thrown) {
        if (thrown != null) {
            return FsException.of(thrown);
        }
        return answer instanceof Failed failed ? failed.toException() : null;
    }

    /** Returns whether another datanode, or the same one a moment later, may do better. */
    static boolean mayGoElsewhere(ErrorCode code) {
        return switch (code) {
            case STALE_GENERATION,
                    TOKEN_EXPIRED,
                    UNAUTHENTICATED,
                    PERMISSION_DENIED,
                    INVALID_ARGUMENT,
                    ALREADY_EXISTS -> false;
            default -> true;
        };
    }

    /** Returns the failure of a block that no datanode served. */
    static FsException noneServes(String what, String store, @Nullable FsException last) {
        if (last == null) {
            return FsException.unavailable("cannot " + what + ": no datanode serves the block store " + store
                    + "; start one, or wait until it has said that it lives");
        }
        return switch (last.code()) {
            case OVERLOADED, STORE_FULL, BLOCK_CORRUPT, BLOCK_MISSING -> last;
            default ->
                FsException.unavailable(
                        "cannot " + what + ": no datanode of the block store " + store
                                + " serves it; the last one said: " + last.getMessage(),
                        last);
        };
    }
}
