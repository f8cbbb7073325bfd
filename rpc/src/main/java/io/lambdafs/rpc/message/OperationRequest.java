package io.lambdafs.rpc.message;

import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.tracing.TraceParent;
import org.jspecify.annotations.Nullable;

/**
 * The envelope of an operation. Identity is per request: connections are shared between the clients of a process, so a
 * request names a principal that was bound on this connection by {@link Bind}; over HTTP the handle is 0 and the call's
 * token counts.
 *
 * @param principal handle given by {@link Bound}
 * @param id identifies the request across retries; for reads it is only for tracing
 * @param attempt 1 for the first
 * @param deadlineMillis wall clock, milliseconds since 1970, after which a write is not committed
 * @param generation of the {@link Placement} it was routed by; {@link #ANY_GENERATION} if any receiver may answer
 * @param trace its span; null if not traced
 */
public record OperationRequest(
        int principal,
        RequestId id,
        int attempt,
        long deadlineMillis,
        Operation<?> operation,
        int generation,
        @Nullable TraceParent trace)
        implements Message {
    public static final int ANY_GENERATION = -1;

    /** An untraced request. */
    public OperationRequest(
            int principal, RequestId id, int attempt, long deadlineMillis, Operation<?> operation, int generation) {
        this(principal, id, attempt, deadlineMillis, operation, generation, null);
    }

    /** A request routed by the initial placement. */
    public OperationRequest(int principal, RequestId id, int attempt, long deadlineMillis, Operation<?> operation) {
        this(principal, id, attempt, deadlineMillis, operation, Placement.FIRST_GENERATION);
    }

    /** Returns the request with another parent span. */
    public OperationRequest below(TraceParent parent) {
        return new OperationRequest(principal, id, attempt, deadlineMillis, operation, generation, parent);
    }

    /** Returns whether the request was routed by this placement. */
    public boolean isRoutedBy(Placement placement) {
        return generation == placement.generation() || generation == ANY_GENERATION;
    }
}
