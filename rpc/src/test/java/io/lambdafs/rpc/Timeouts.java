package io.lambdafs.rpc;

import java.time.Duration;

/** A transport's limits with other time-outs. Stateless. */
public final class Timeouts {
    private Timeouts() {}

    /** Dialling may take that long. */
    public static TransportLimits connect(TransportLimits limits, Duration connect) {
        return copy(limits, connect, limits.proofTimeout());
    }

    /** An accepted connection has that long to prove who its peer is. */
    public static TransportLimits proof(TransportLimits limits, Duration proof) {
        return copy(limits, limits.connectTimeout(), proof);
    }

    private static TransportLimits copy(TransportLimits limits, Duration connect, Duration proof) {
        return new TransportLimits(
                limits.maxInFlightPerConnection(),
                connect,
                proof,
                limits.lowWaterMark(),
                limits.highWaterMark(),
                limits.maxPendingBytes(),
                limits.maxHeldBytes(),
                limits.maxConnections(),
                limits.lookout());
    }
}
