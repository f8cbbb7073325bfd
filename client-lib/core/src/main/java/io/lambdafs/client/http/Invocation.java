package io.lambdafs.client.http;

import io.lambdafs.client.tcp.TcpOffer;
import io.lambdafs.rpc.message.OperationRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call of a function through the FaaS platform. Immutable.
 *
 * @param deployment the function, 0-based
 * @param request the request; null to only wake an instance
 * @param token of the caller; empty on a cluster without authentication
 * @param tcp servers the instance may dial back to; empty without TCP
 * @param connected whether a connected instance of the function accepts requests, so that this call needs no further
 *     one
 * @param timeoutNanos limit on the wait for the reply
 */
public record Invocation(
        int deployment,
        @Nullable OperationRequest request,
        String token,
        List<TcpOffer> tcp,
        boolean connected,
        long timeoutNanos) {
    public Invocation {
        tcp = List.copyOf(tcp);
    }

    /** Returns the call without its request, only asking for connections. */
    public Invocation withoutRequest() {
        return new Invocation(deployment, null, token, tcp, connected, timeoutNanos);
    }

    /** Returns the call without asking for connections. */
    public Invocation withoutConnections() {
        return new Invocation(deployment, request, token, List.of(), connected, timeoutNanos);
    }

    /** Omits the token. */
    @Override
    public String toString() {
        return "Invocation[deployment=" + deployment + ", request=" + request + "]";
    }
}
