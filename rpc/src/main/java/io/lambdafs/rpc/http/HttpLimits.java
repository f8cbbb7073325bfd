package io.lambdafs.rpc.http;

import java.time.Duration;

/**
 * Limits of an HTTP server. Immutable.
 *
 * @param maxBodyBytes maximum request body; more is answered with 413
 * @param maxBodiesBytes maximum total of bodies held at once, complete or partial; more is answered with 503
 * @param maxHeldBytes of memory that the peers of all connections may hold by not reading, and by sending partial
 *     heads; the one that holds the largest share for longest is closed
 * @param maxHeaderBytes maximum request line, and maximum sum of headers; more is answered with 414 or 431
 * @param requestTimeout limit from a request's first byte (for the first request, from accepting the connection) to its
 *     last, after which the connection closes
 * @param idleTimeout how long a connection may stay open without a request
 * @param maxConnections maximum open connections; a further one is answered with 503 and closed
 * @param maxInFlight maximum requests being handled at once, over all connections; a further one is answered with 503
 * @param threads number of event loops
 */
public record HttpLimits(
        int maxBodyBytes,
        long maxBodiesBytes,
        long maxHeldBytes,
        int maxHeaderBytes,
        Duration requestTimeout,
        Duration idleTimeout,
        int maxConnections,
        int maxInFlight,
        int threads) {
    public HttpLimits {
        positive("maxBodyBytes", maxBodyBytes);
        positive("maxBodiesBytes", maxBodiesBytes);
        positive("maxHeldBytes", maxHeldBytes);
        positive("maxHeaderBytes", maxHeaderBytes);
        positive("requestTimeout in milliseconds", requestTimeout.toMillis());
        positive("idleTimeout in milliseconds", idleTimeout.toMillis());
        positive("maxConnections", maxConnections);
        positive("maxInFlight", maxInFlight);
        positive("threads", threads);
    }

    /**
     * Returns the defaults: 1 MiB for a body, 32 MiB for all, an eighth of this process's memory, but at most 64 MiB,
     * for peers to hold, 16 KiB for headers, 20 s for a request to arrive, 60 s idle, 1,024 connections, 1,024 requests
     * in flight, at most 4 event loops.
     */
    public static HttpLimits defaults() {
        int threads = Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors()));
        return new HttpLimits(
                1 << 20,
                32 << 20,
                heldBytes(),
                16 << 10,
                Duration.ofSeconds(20),
                Duration.ofSeconds(60),
                1024,
                1024,
                threads);
    }

    /** Returns limits for a server of pages, without request bodies: one event loop, 64 connections. */
    public static HttpLimits pages() {
        return new HttpLimits(
                1 << 10, 64 << 10, heldBytes(), 16 << 10, Duration.ofSeconds(20), Duration.ofSeconds(60), 64, 64, 1);
    }

    private static long heldBytes() {
        return Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 8);
    }

    public HttpLimits withMaxBodyBytes(int bytes) {
        return new HttpLimits(
                bytes,
                maxBodiesBytes,
                maxHeldBytes,
                maxHeaderBytes,
                requestTimeout,
                idleTimeout,
                maxConnections,
                maxInFlight,
                threads);
    }

    public HttpLimits withMaxBodiesBytes(long bytes) {
        return new HttpLimits(
                maxBodyBytes,
                bytes,
                maxHeldBytes,
                maxHeaderBytes,
                requestTimeout,
                idleTimeout,
                maxConnections,
                maxInFlight,
                threads);
    }

    public HttpLimits withMaxHeldBytes(long bytes) {
        return new HttpLimits(
                maxBodyBytes,
                maxBodiesBytes,
                bytes,
                maxHeaderBytes,
                requestTimeout,
                idleTimeout,
                maxConnections,
                maxInFlight,
                threads);
    }

    public HttpLimits withMaxHeaderBytes(int bytes) {
        return new HttpLimits(
                maxBodyBytes,
                maxBodiesBytes,
                maxHeldBytes,
                bytes,
                requestTimeout,
                idleTimeout,
                maxConnections,
                maxInFlight,
                threads);
    }

    public HttpLimits withRequestTimeout(Duration timeout) {
        return new HttpLimits(
                maxBodyBytes,
                maxBodiesBytes,
                maxHeldBytes,
                maxHeaderBytes,
                timeout,
                idleTimeout,
                maxConnections,
                maxInFlight,
                threads);
    }

    public HttpLimits withIdleTimeout(Duration timeout) {
        return new HttpLimits(
                maxBodyBytes,
                maxBodiesBytes,
                maxHeldBytes,
                maxHeaderBytes,
                requestTimeout,
                timeout,
                maxConnections,
                maxInFlight,
                threads);
    }

    public HttpLimits withMaxConnections(int connections) {
        return new HttpLimits(
                maxBodyBytes,
                maxBodiesBytes,
                maxHeldBytes,
                maxHeaderBytes,
                requestTimeout,
                idleTimeout,
                connections,
                maxInFlight,
                threads);
    }

    public HttpLimits withMaxInFlight(int requests) {
        return new HttpLimits(
                maxBodyBytes,
                maxBodiesBytes,
                maxHeldBytes,
                maxHeaderBytes,
                requestTimeout,
                idleTimeout,
                maxConnections,
                requests,
                threads);
    }

    private static void positive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + " must be positive, is " + value);
        }
    }
}
