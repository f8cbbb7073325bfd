package io.lambdafs.rpc.http;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts a server's connections, requests in flight and bytes of their bodies against its limits. Thread-safe. */
final class ServerLoad {
    private final HttpLimits limits;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicLong bodyBytes = new AtomicLong();

    ServerLoad(HttpLimits limits) {
        this.limits = limits;
    }

    HttpLimits limits() {
        return limits;
    }

    /** Counts a connection until {@link #disconnected}; returns false if it is one too many. */
    boolean connected() {
        return connections.incrementAndGet() <= limits.maxConnections();
    }

    void disconnected() {
        connections.decrementAndGet();
    }

    /** Counts a request until {@link #ended}; returns false, without counting, if it is one too many. */
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

    /** Counts bytes of bodies until {@link #gaveBack}; returns false, without counting, if they are too many. */
    boolean took(int bytes) {
        if (bodyBytes.addAndGet(bytes) <= limits.maxBodiesBytes()) {
            return true;
        }
        bodyBytes.addAndGet(-bytes);
        return false;
    }

    void gaveBack(int bytes) {
        bodyBytes.addAndGet(-bytes);
    }
}
