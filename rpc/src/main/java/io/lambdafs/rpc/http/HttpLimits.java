package io.lambdafs.rpc.http;

import java.time.Duration;

/**
 * The bounds of a server. Immutable.
 *
 * @param maxBodyBytes largest request body; more is answered with 413
 * @param maxHeaderBytes largest request line, and largest sum of headers; more is answered with 414 or 431
 * @param idleTimeout how long a connection may stay open without a request under way
 * @param maxConnections connections open at once; a further one is answered with 503 and closed
 * @param maxInFlight requests being handled at once, over all connections; a further one is answered with 503
 * @param threads event loops
 */
public record HttpLimits(
        int maxBodyBytes, int maxHeaderBytes, Duration idleTimeout, int maxConnections, int maxInFlight, int threads) {
    public HttpLimits {
        positive("maxBodyBytes", maxBodyBytes);
        positive("maxHeaderBytes", maxHeaderBytes);
        positive("idleTimeout in milliseconds", idleTimeout.toMillis());
        positive("maxConnections", maxConnections);
        positive("maxInFlight", maxInFlight);
        positive("threads", threads);
    }

    /** 1 MiB bodies, 16 KiB headers, 60 s idle, 1,024 connections, 1,024 requests in flight, at most 4 event loops. */
    public static HttpLimits defaults() {
        int threads = Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors()));
        return new HttpLimits(1 << 20, 16 << 10, Duration.ofSeconds(60), 1024, 1024, threads);
    }

    public HttpLimits withMaxBodyBytes(int bytes) {
        return new HttpLimits(bytes, maxHeaderBytes, idleTimeout, maxConnections, maxInFlight, threads);
    }

    public HttpLimits withMaxHeaderBytes(int bytes) {
        return new HttpLimits(maxBodyBytes, bytes, idleTimeout, maxConnections, maxInFlight, threads);
    }

    public HttpLimits withIdleTimeout(Duration timeout) {
        return new HttpLimits(maxBodyBytes, maxHeaderBytes, timeout, maxConnections, maxInFlight, threads);
    }

    public HttpLimits withMaxConnections(int connections) {
        return new HttpLimits(maxBodyBytes, maxHeaderBytes, idleTimeout, connections, maxInFlight, threads);
    }

    public HttpLimits withMaxInFlight(int requests) {
        return new HttpLimits(maxBodyBytes, maxHeaderBytes, idleTimeout, maxConnections, requests, threads);
    }

    public HttpLimits withThreads(int loops) {
        return new HttpLimits(maxBodyBytes, maxHeaderBytes, idleTimeout, maxConnections, maxInFlight, loops);
    }

    private static void positive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + " must be positive, is " + value);
        }
    }
}
