package io.lambdafs.datanode.server;

import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.block.WriteChunk;
import java.time.Duration;

/**
 * The limits of a datanode's concurrent work. Immutable.
 *
 * @param windowBytes of one write that may be in flight or wait for the disk, at least one chunk of maximum size
 * @param bufferBytes of all writes together that wait for the disk; reads take up to a third of that at once
 * @param idle how long a write may pause before it is aborted
 */
public record ServerLimits(int windowBytes, long bufferBytes, Duration idle) {
    public static final ServerLimits DEFAULT =
            new ServerLimits(WriteChunk.MAX_BYTES, 96L * WriteChunk.MAX_BYTES, Duration.ofMinutes(1));

    /** The maximum number of blocks being written at once. */
    static final int STREAMS = 1_024;
    /** The same for a connection, including failed writes. */
    static final int STREAMS_PER_CONNECTION = 64;
    /** The maximum number of bytes that a connection may have requested before they are read. */
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

    /** Returns the maximum number of bytes of reads in memory at once. */
    long readBytes() {
        return Math.max(BlockReads.heldBytes(WriteChunk.MAX_BYTES), bufferBytes / 3);
    }

    /** Returns the default limits for a process with that much memory. */
    public static ServerLimits of(long memoryBytes) {
        long buffer = Math.max(8L * WriteChunk.MAX_BYTES, Math.min(DEFAULT.bufferBytes, memoryBytes / 8 * 3));
        return new ServerLimits(DEFAULT.windowBytes, buffer, DEFAULT.idle);
    }

    /** Returns the limits of its transport. */
    public static TransportLimits transport() {
        return TransportLimits.DEFAULT
                .withMaxInFlightPerConnection(IN_FLIGHT)
                .withPendingBytes(LOW_WATER_BYTES, HIGH_WATER_BYTES, MOST_PENDING_BYTES)
                .withMaxConnections(CONNECTIONS);
    }
}
