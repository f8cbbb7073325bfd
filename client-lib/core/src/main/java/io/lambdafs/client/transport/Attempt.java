package io.lambdafs.client.transport;

import io.lambdafs.client.tcp.InstanceConnection;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Operation;
import io.lambdafs.model.RequestId;
import io.lambdafs.rpc.OperationReply;
import io.lambdafs.rpc.OperationRequest;
import io.lambdafs.rpc.tracing.TraceParent;
import org.jspecify.annotations.Nullable;

/** One sending of a request, and what becomes of it on the way. Used by one thread at a time. */
public final class Attempt {
    /** Of a request over HTTP, whose token names the caller. */
    private static final int NO_HANDLE = 0;

    private final Envelope envelope;
    private final int number;
    private final Route route;
    private final Outcome outcome;
    private long usedConnection;
    private boolean rebound;
    private boolean oneTooMany;

    /**
     * What is sent, however often.
     *
     * @param generation of the placement by which the deployment was found
     * @param trace the span of the request; null where it is not traced
     */
    public record Envelope(
            int deployment,
            int generation,
            RequestId id,
            long deadlineMillis,
            Operation<?> operation,
            @Nullable TraceParent trace) {
        /** Of a request that is not traced. */
        public Envelope(int deployment, int generation, RequestId id, long deadlineMillis, Operation<?> operation) {
            this(deployment, generation, id, deadlineMillis, operation, null);
        }
    }

    /**
     * How to go.
     *
     * @param endNanos monotonic time at which the attempt is over
     * @param avoid id of the connection that failed the attempt before; 0 for none
     * @param sameAgain whether the avoided connection may be taken where there is no other, rather than HTTP
     */
    public record Route(long endNanos, long avoid, boolean sameAgain) {}

    /** Takes the end of an attempt, once but for a late answer, on the thread that learnt of it. */
    public interface Outcome {
        /** The service has answered, with a failure perhaps. */
        void answered(Attempt attempt, OperationReply reply);

        /** The service has answered an attempt that had been given up as timed out or as a straggler; another may be under way. */
        void answeredLate(Attempt attempt, OperationReply reply);

        /** Platform or network failed the attempt. */
        void failed(Attempt attempt, FsException why);

        /**
         * The attempt takes far longer than such attempts do, and the request may go elsewhere: it is given up, and what it still brings is a
         * late answer or nothing.
         */
        void straggles(Attempt attempt);

        /** The attempt leaves the fast way over TCP: its end depends on more than a connection. */
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

    /** Which attempt of its request it is, from 1. */
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

    /** Remembers the connection that carries it. */
    void goesBy(InstanceConnection connection) {
        usedConnection = connection.id();
    }

    /** Remembers that no connection carries it. */
    void goesByHttp() {
        usedConnection = 0;
    }

    /** Id of the connection that carried it last; 0 if HTTP did. */
    public long usedConnection() {
        return usedConnection;
    }

    /** Remembers that a connection or instance refused it as one too many. */
    void wasOneTooMany() {
        oneTooMany = true;
    }

    boolean isOneTooMany() {
        return oneTooMany;
    }

    /** True once: a stale handle is bound anew only one time. */
    boolean mayRebind() {
        boolean first = !rebound;
        rebound = true;
        return first;
    }
}
