package io.lambdafs.client.transport;

import io.lambdafs.client.tcp.InstanceConnection;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.rpc.tracing.TraceParent;
import org.jspecify.annotations.Nullable;

/** One attempt of a request and its state on the way. Used by one thread at a time. */
public final class Attempt {
    /** The handle of an HTTP request, whose token identifies the caller. */
    private static final int NO_HANDLE = 0;

    private final Envelope envelope;
    private final int number;
    private final Route route;
    private final Outcome outcome;
    private long usedConnection;
    private boolean rebound;
    private boolean oneTooMany;

    /**
     * The content of a request, the same in every attempt.
     *
     * @param generation of the placement used for routing
     * @param trace the span of the request; null if not traced
     */
    public record Envelope(
            int deployment,
            int generation,
            RequestId id,
            long deadlineMillis,
            Operation<?> operation,
            @Nullable TraceParent trace) {
        /** The envelope of an untraced request. */
        public Envelope(int deployment, int generation, RequestId id, long deadlineMillis, Operation<?> operation) {
            this(deployment, generation, id, deadlineMillis, operation, null);
        }
    }

    /**
     * The route of an attempt.
     *
     * @param endNanos monotonic end of the attempt
     * @param avoid id of the connection that failed the previous attempt; 0 for none
     * @param sameAgain whether the avoided connection may be used instead of HTTP if there is no other
     */
    public record Route(long endNanos, long avoid, boolean sameAgain) {}

    /** Receives the end of an attempt, once except for a late answer, on the thread that noticed it. */
    public interface Outcome {
        /** The service has answered, possibly with a failure. */
        void answered(Attempt attempt, OperationReply reply);

        /** The service has answered an attempt given up as timed out or as a straggler; another may be in progress. */
        void answeredLate(Attempt attempt, OperationReply reply);

        /** Platform or network failed the attempt. */
        void failed(Attempt attempt, FsException why);

        /**
         * The attempt takes far longer than usual, and the request may go elsewhere: it is given up, and any later
         * reply is a late answer.
         */
        void straggles(Attempt attempt);

        /** The attempt leaves the TCP fast path: its end depends on more than a connection. */
        void lingers();
    }

    public Attempt(Envelope envelope, int number, Route route, Outcome outcome) {
        this.envelope = envelope;
        this.number = number;
        this.route = route;
        this.outcome = outcome;
    }

    public int deployment() {
        return envelope.deployment();
    }

    public boolean isWrite() {
        return envelope.operation().isWrite();
    }

    /** Returns the number of the attempt, from 1. */
    public int number() {
        return number;
    }

    public Route route() {
        return route;
    }

    Outcome outcome() {
        return outcome;
    }

    public void failed(FsException why) {
        outcome.failed(this, why);
    }

    public OperationRequest request(int principal) {
        return new OperationRequest(
                principal,
                envelope.id(),
                number,
                envelope.deadlineMillis(),
                envelope.operation(),
                envelope.generation(),
                envelope.trace());
    }

    OperationRequest requestByHttp() {
        return request(NO_HANDLE);
    }

    /** Records the connection that carries it. */
    void goesBy(InstanceConnection connection) {
        usedConnection = connection.id();
    }

    /** Records that no connection carries it. */
    void goesByHttp() {
        usedConnection = 0;
    }

    /** Returns the id of the connection that last carried it; 0 for HTTP. */
    public long usedConnection() {
        return usedConnection;
    }

    /** Records that a connection or instance refused it as excess. */
    void wasOneTooMany() {
        oneTooMany = true;
    }

    boolean isOneTooMany() {
        return oneTooMany;
    }

    /** Returns true once, so that a stale handle is rebound only once. */
    boolean mayRebind() {
        boolean first = !rebound;
        rebound = true;
        return first;
    }
}
