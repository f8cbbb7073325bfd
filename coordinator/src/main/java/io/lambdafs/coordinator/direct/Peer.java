package io.lambdafs.coordinator.direct;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.ConnectionRefusedException;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.auth.ServiceProof;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The connection to one other instance, opened on demand and again after a loss. Until it is open at most {@value
 * #MAX_WAITING} messages wait; afterwards the transport's own limit applies. Thread-safe.
 */
final class Peer {
    /** The address of an instance and its expected id. */
    record Address(String host, int port, String instance) {
        // Written by hand: a record's generated methods are linked on first use, which costs milliseconds of a start.

        @Override
        public int hashCode() {
            return 31 * (31 * host.hashCode() + port) + instance.hashCode();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Address that
                    && port == that.port
                    && host.equals(that.host)
                    && instance.equals(that.instance);
        }
    }

    /** Only this end sends requests. */
    private static final ConnectionHandler SILENT = (connection, message, reply) -> reply.accept(
            Failed.of(new FsException(ErrorCode.UNSUPPORTED, "this end of the connection asks, it does not answer")));

    private static final int MAX_WAITING = 4_096;
    private static final Duration HANDSHAKE_WAIT = Duration.ofSeconds(5);

    private final Address address;
    private final boolean sameMachine;
    private final Transport transport;
    private final Scheduler scheduler;
    private final ServiceProof proof;
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile @Nullable Connection standing;
    private @Nullable CompletableFuture<Connection> opening;
    private boolean closed;

    Peer(Address address, boolean sameMachine, Transport transport, Scheduler scheduler, ServiceProof proof) {
        this.address = address;
        this.sameMachine = sameMachine;
        this.transport = transport;
        this.scheduler = scheduler;
        this.proof = proof;
    }

    /** Sends a message, opening the connection first if needed, within one time limit. */
    CompletionStage<Acknowledgement> send(Message message, long timeoutNanos) {
        Connection known = standing;
        if (known == null || !known.isOpen()) {
            return sendAnew(message, timeoutNanos);
        }
        long deadline = scheduler.nanoTime() + timeoutNanos;
        return known.request(message, timeoutNanos)
                .thenApply(this::acknowledgement)
                .exceptionallyCompose(failure -> FsException.of(failure).code() == ErrorCode.CONNECTION_LOST
                        ? sendAnew(message, deadline - scheduler.nanoTime())
                        : CompletableFuture.failedFuture(FsException.of(failure)));
    }

    /**
     * Resends over a new connection, which shows whether the instance still exists; resending is safe because it only
     * invalidates.
     */
    private CompletionStage<Acknowledgement> sendAnew(Message message, long timeoutNanos) {
        if (timeoutNanos <= 0) {
            return CompletableFuture.failedFuture(late());
        }
        if (waiting.incrementAndGet() > MAX_WAITING) {
            waiting.decrementAndGet();
            return CompletableFuture.failedFuture(new FsException(
                    ErrorCode.OVERLOADED, "too many messages wait for a connection to instance " + address.instance()));
        }
        long deadline = scheduler.nanoTime() + timeoutNanos;
        CompletableFuture<Acknowledgement> answer = new CompletableFuture<>();
        Scheduler.Timer limit = scheduler.schedule(timeoutNanos, () -> answer.completeExceptionally(late()));
        answer.whenComplete((ack, failure) -> {
            waiting.decrementAndGet();
            limit.cancel();
        });
        connection()
                .thenCompose(connection -> connection.request(message, Math.max(1, deadline - scheduler.nanoTime())))
                .whenComplete((reply, failure) -> {
                    if (failure == null) {
                        complete(answer, reply);
                    } else if (sameMachine && ConnectionRefusedException.isCauseOf(failure)) {
                        answer.complete(Acknowledgement.GONE);
                    } else {
                        answer.completeExceptionally(FsException.of(failure));
                    }
                });
        return answer;
    }

    private void complete(CompletableFuture<Acknowledgement> answer, Message reply) {
        try {
            answer.complete(acknowledgement(reply));
        } catch (FsException refused) {
            answer.completeExceptionally(refused);
        }
    }

    private Acknowledgement acknowledgement(Message reply) {
        if (reply instanceof Acknowledgement ack) {
            return ack;
        }
        throw refusal(reply);
    }

    private synchronized CompletionStage<Connection> connection() {
        Connection known = standing;
        if (known != null && known.isOpen()) {
            return CompletableFuture.completedFuture(known);
        }
        if (closed) {
            return CompletableFuture.failedFuture(
                    FsException.unavailable("instance " + address.instance() + " is gone"));
        }
        CompletableFuture<Connection> under = opening;
        if (under == null) {
            under = new CompletableFuture<>();
            opening = under;
            CompletableFuture<Connection> mine = under;
            dial().whenComplete((connection, failure) -> dialled(mine, connection, failure));
        }
        return under;
    }

    /** Returns an instance's service name: addresses are reused by other instances, whose ACKs would be worthless. */
    static String service(String instance) {
        return "instance " + instance;
    }

    private CompletionStage<Connection> dial() {
        return transport
                .connect(new InetSocketAddress(address.host(), address.port()), SILENT)
                .thenCompose(connection -> prove(connection).whenComplete((done, failure) -> {
                    if (failure != null) {
                        connection.close();
                    }
                }));
    }

    private CompletionStage<Connection> prove(Connection connection) {
        long wait = HANDSHAKE_WAIT.toNanos();
        CompletableFuture<Connection> done = new CompletableFuture<>();
        Scheduler.Timer limit = scheduler.schedule(wait, () -> done.completeExceptionally(late()));
        proof.give(connection, service(address.instance()), wait).whenComplete((proved, failure) -> {
            limit.cancel();
            if (failure == null) {
                done.complete(connection);
            } else {
                done.completeExceptionally(FsException.of(failure));
            }
        });
        return done;
    }

    private void dialled(
            CompletableFuture<Connection> mine, @Nullable Connection connection, @Nullable Throwable failure) {
        boolean unwanted;
        synchronized (this) {
            opening = null;
            unwanted = closed;
            if (connection != null && !unwanted) {
                standing = connection;
            }
        }
        if (connection != null && unwanted) {
            connection.close();
        }
        if (connection == null || unwanted) {
            mine.completeExceptionally(failure == null ? late() : FsException.of(failure));
        } else {
            mine.complete(connection);
        }
    }

    /** Closes the connection; nothing is sent afterwards. */
    void close() {
        Connection known;
        synchronized (this) {
            closed = true;
            known = standing;
        }
        if (known != null) {
            known.close();
        }
    }

    private FsException refusal(Message reply) {
        return reply instanceof Failed failed
                ? failed.toException()
                : new FsException(
                        ErrorCode.INTERNAL, "instance " + address.instance() + " gave an answer of the wrong kind");
    }

    private FsException late() {
        return new FsException(ErrorCode.TIMED_OUT, "instance " + address.instance() + " did not answer in time");
    }
}
