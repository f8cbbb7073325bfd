package io.lambdafs.datanode.server;

import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.block.WriteChunk;
import java.time.Duration;

/**
 * How much a datanode does at once. Immutable.
 *
 * @param windowBytes of one write that may be on their way or wait for the disk, at least one largest chunk
 * @param bufferBytes of all writes together that have come and wait for the disk; reads take a third as many at once
 * @param idle how long a write may pause before it is dropped
 */
public record ServerLimits(int windowBytes, long bufferBytes, Duration idle) {
    public static final ServerLimits DEFAULT =
            new ServerLimits(WriteChunk.MAX_BYTES, 96L * WriteChunk.MAX_BYTES, Duration.ofMinutes(1));

    /** Blocks that are being written at once. */
    static final int STREAMS = 1_024;
    /** Of a connection, those included that have failed. */
    static final int STREAMS_PER_CONNECTION = 64;
    /** Bytes that a connection may have asked for before they are read. */
    static final long ASKED_PER_CONNECTION = 8L * WriteChunk.MAX_BYTES;

    private static final int LOW_WATER_BYTES = 1 << 20;
    private static final int HIGH_WATER_BYTES = 4 << 20;
    private static final int MOST_PENDING_BYTES = 16 << 20;
    private static final int IN_FLIGHT = 256;
    private static final int CONNECTIONS = 2_048;

    public ServerLimits {
        if (windowBytes < WriteChunk.MAX_BYTES || bufferBytes < windowBytes || idle.toMillis() < 1) {
            throw new IllegalArgumentException("a window takes " + WriteChunk.MAX_BYTES
                    + " bytes at least, the buffer a window, and idle is 1 ms at least");
        }
    }

    /** What may be in memory of reads at once. */
    long readBytes() {
        return Math.max(2L * WriteChunk.MAX_BYTES, bufferBytes / 3);
    }

    /** The default limits for a process of that much memory. */
    public static ServerLimits of(long memoryBytes) {
        long buffer = Math.max(8L * WriteChunk.MAX_BYTES, Math.min(DEFAULT.bufferBytes, memoryBytes / 8 * 3));
        return new ServerLimits(DEFAULT.windowBytes, buffer, DEFAULT.idle);
    }

    /** What its transport takes at most. */
    public static TransportLimits transport() {
        return TransportLimits.DEFAULT
                .withMaxInFlightPerConnection(IN_FLIGHT)
                .withPendingBytes(LOW_WATER_BYTES, HIGH_WATER_BYTES, MOST_PENDING_BYTES)
                .withMaxConnections(CONNECTIONS);
    }
}
