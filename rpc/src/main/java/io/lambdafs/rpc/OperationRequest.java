package io.lambdafs.rpc;

import io.lambdafs.model.Operation;
import io.lambdafs.model.Placement;
import io.lambdafs.model.RequestId;
import io.lambdafs.rpc.tracing.TraceParent;
import org.jspecify.annotations.Nullable;

/**
 * The envelope of an operation. Identity is per request: connections are shared between the clients of a process, so a request
 * names a principal that was bound on this connection by {@link Bind}; over HTTP the handle is 0 and the call's token counts.
 *
 * @param principal handle given by {@link Bound}
 * @param id names the request however often it is sent; for reads it only traces
 * @param attempt 1 for the first sending
 * @param deadlineMillis wall clock, milliseconds since 1970: a write is not begun to be committed after it
 * @param generation of the {@link Placement} that it was routed by; {@link #ANY_GENERATION} where whoever gets it is to answer it
 * @param trace the span that it belongs to; null where it is not traced
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

    /** A request that is not traced. */
    public OperationRequest(
            int principal, RequestId id, int attempt, long deadlineMillis, Operation<?> operation, int generation) {
        this(principal, id, attempt, deadlineMillis, operation, generation, null);
    }

    /** A request routed by the placement of a file system as it was formatted. */
    public OperationRequest(int principal, RequestId id, int attempt, long deadlineMillis, Operation<?> operation) {
        this(principal, id, attempt, deadlineMillis, operation, Placement.FIRST_GENERATION);
    }

    /** The same below another span. */
    public OperationRequest below(TraceParent parent) {
        return new OperationRequest(principal, id, attempt, deadlineMillis, operation, generation, parent);
    }

    /** Returns whether an instance of this placement is the one to ask. */
    public boolean isRoutedBy(Placement placement) {
        return generation == placement.generation() || generation == ANY_GENERATION;
    }
}
