package io.lambdafs.rpc;

import io.lambdafs.rpc.message.Codec;
import java.time.Duration;

/**
 * Limits of a transport. Immutable.
 *
 * @param maxInFlightPerConnection requests sent and not answered on one connection, in each direction,
 *     1–{@value #MAX_IN_FLIGHT}; further ones fail with {@code OVERLOADED}
 * @param connectTimeout limit on dialling, at least 1 ms
 * @param proofTimeout time in which the peer of an accepted connection must authenticate before it is closed, at least
 *     1 ms
 * @param lowWaterMark unsent bytes of a connection below which requests are accepted again
 * @param highWaterMark unsent bytes of a connection above which requests fail with {@code OVERLOADED}
 * @param maxPendingBytes unsent bytes above which a connection is closed because its peer does not read
 * @param maxHeldBytes of memory that the peers of all connections may hold by not reading, and by sending partial
 *     frames; the one that holds the largest share for longest is closed
 * @param maxConnections accepted connections of all listeners; further ones are closed at once
 * @param lookout how long an event loop yields instead of parking after a request that is answered at once
 *     ({@link Codec#isAnsweredAtOnce}), or after a reply likely to be followed by a request
 *     ({@link Connection#expectRequest}), 0–10 ms; uses only otherwise idle processor time
 */
public record TransportLimits(
        int maxInFlightPerConnection,
        Duration connectTimeout,
        Duration proofTimeout,
        int lowWaterMark,
        int highWaterMark,
        int maxPendingBytes,
        long maxHeldBytes,
        int maxConnections,
        Duration lookout) {
    public static final int MAX_IN_FLIGHT = 65_535;
    private static final Duration MAX_LOOKOUT = Duration.ofMillis(10);

    public static final TransportLimits DEFAULT = new TransportLimits(
            4_096,
            Duration.ofSeconds(3),
            Duration.ofSeconds(5),
            2 << 20,
            8 << 20,
            64 << 20,
            heldBytes(),
            16_384,
            Duration.ZERO);

    public TransportLimits {
        check(maxInFlightPerConnection >= 1 && maxInFlightPerConnection <= MAX_IN_FLIGHT, "maxInFlightPerConnection");
        check(connectTimeout.toMillis() >= 1 && connectTimeout.toMillis() <= Integer.MAX_VALUE, "connectTimeout");
        check(proofTimeout.toMillis() >= 1 && proofTimeout.toMillis() <= Integer.MAX_VALUE, "proofTimeout");
        check(lowWaterMark >= 1, "lowWaterMark");
        check(highWaterMark >= lowWaterMark, "highWaterMark");
        check(maxPendingBytes >= highWaterMark, "maxPendingBytes");
        check(maxHeldBytes >= 1, "maxHeldBytes");
        check(maxConnections >= 1, "maxConnections");
        check(!lookout.isNegative() && lookout.compareTo(MAX_LOOKOUT) <= 0, "lookout");
    }

    private static void check(boolean holds, String name) {
        if (!holds) {
            throw new IllegalArgumentException("transport limit out of range: " + name);
        }
    }

    public TransportLimits withMaxInFlightPerConnection(int limit) {
        Copy copy = new Copy(this);
        copy.maxInFlightPerConnection = limit;
        return copy.limits();
    }

    public TransportLimits withPendingBytes(int low, int high, int max) {
        Copy copy = new Copy(this);
        copy.lowWaterMark = low;
        copy.highWaterMark = high;
        copy.maxPendingBytes = max;
        return copy.limits();
    }

    public TransportLimits withMaxHeldBytes(long limit) {
        Copy copy = new Copy(this);
        copy.maxHeldBytes = limit;
        return copy.limits();
    }

    /** Returns a quarter of this process's memory for buffers, at most 256 MiB. */
    private static long heldBytes() {
        return Math.min(256L << 20, Runtime.getRuntime().maxMemory() / 4);
    }

    public TransportLimits withMaxConnections(int limit) {
        Copy copy = new Copy(this);
        copy.maxConnections = limit;
        return copy.limits();
    }

    public TransportLimits withLookout(Duration limit) {
        Copy copy = new Copy(this);
        copy.lookout = limit;
        return copy.limits();
    }

    /** A mutable copy of the limits. */
    private static final class Copy {
        private int maxInFlightPerConnection;
        private final Duration connectTimeout;
        private final Duration proofTimeout;
        private int lowWaterMark;
        private int highWaterMark;
        private int maxPendingBytes;
        private long maxHeldBytes;
        private int maxConnections;
        private Duration lookout;

        Copy(TransportLimits of) {
            maxInFlightPerConnection = of.maxInFlightPerConnection;
            connectTimeout = of.connectTimeout;
            proofTimeout = of.proofTimeout;
            lowWaterMark = of.lowWaterMark;
            highWaterMark = of.highWaterMark;
            maxPendingBytes = of.maxPendingBytes;
            maxHeldBytes = of.maxHeldBytes;
            maxConnections = of.maxConnections;
            lookout = of.lookout;
        }

        TransportLimits limits() {
            return new TransportLimits(
                    maxInFlightPerConnection,
                    connectTimeout,
                    proofTimeout,
                    lowWaterMark,
                    highWaterMark,
                    maxPendingBytes,
                    maxHeldBytes,
                    maxConnections,
                    lookout);
        }
    }
}
