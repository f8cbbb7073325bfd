package io.lambdafs.client.http;

import io.lambdafs.client.tcp.TcpOffer;
import io.lambdafs.rpc.OperationRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call of a function through the FaaS platform. Immutable.
 *
 * @param deployment the function, 0-based
 * @param request what is asked; null to wake an instance only
 * @param token of the caller; empty on a cluster without authentication
 * @param tcp where the instance may dial back to; empty without TCP
 * @param connected whether an instance of the function is connected that takes what it is sent: this call needs no further one
 * @param timeoutNanos how long to wait for the answer
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

    /** The same, but that it only asks for connections. */
    public Invocation withoutRequest() {
        return new Invocation(deployment, null, token, tcp, connected, timeoutNanos);
    }

    /** The same, but that it asks for no connections. */
    public Invocation withoutConnections() {
        return new Invocation(deployment, request, token, List.of(), connected, timeoutNanos);
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "Invocation[deployment=" + deployment + ", request=" + request + "]";
    }
}
