package io.lambdafs.rpc.http;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts a server's connections and requests in flight against its limits. Thread-safe. */
final class ServerLoad {
    private final HttpLimits limits;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();

    ServerLoad(HttpLimits limits) {
        this.limits = limits;
    }

    /** Counts a connection in, until {@link #disconnected}; false where it is one too many. */
    boolean connected() {
        return connections.incrementAndGet() <= limits.maxConnections();
    }

    void disconnected() {
        connections.decrementAndGet();
    }

    /** Counts a request in, until {@link #ended}; false, and not counted, where it is one too many. */
    boolean begun() {
        if (inFlight.incrementAndGet() <= limits.maxInFlight()) {
            return true;
        }
        inFlight.decrementAndGet();
        return false;
    }

    void ended() {
        inFlight.decrementAndGet();
    }
}
