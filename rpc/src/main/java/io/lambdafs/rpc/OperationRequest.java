package io.lambdafs.rpc;

import io.lambdafs.model.Operation;
import io.lambdafs.model.RequestId;

/**
 * The envelope of an operation. Identity is per request: connections are shared between the clients of a process, so a request
 * names a principal that was bound on this connection by {@link Bind}; over HTTP the handle is 0 and the call's token counts.
 *
 * @param principal handle given by {@link Bound}
 * @param id names the request however often it is sent; for reads it only traces
 * @param attempt 1 for the first sending
 * @param deadlineMillis wall clock, milliseconds since 1970: a write is not begun to be committed after it
 */
public record OperationRequest(int principal, RequestId id, int attempt, long deadlineMillis, Operation<?> operation)
        implements Message {}
