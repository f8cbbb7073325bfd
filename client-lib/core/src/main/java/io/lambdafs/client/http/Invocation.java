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
 * @param token proves who asks; empty on a cluster without authentication
 * @param tcp where the instance may dial back to; empty without TCP
 * @param timeoutNanos how long to wait for the answer
 */
public record Invocation(
        int deployment, @Nullable OperationRequest request, String token, List<TcpOffer> tcp, long timeoutNanos) {
    public Invocation {
        tcp = List.copyOf(tcp);
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "Invocation[deployment=" + deployment + ", request=" + request + "]";
    }
}
