package io.lambdafs.client.block;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;

/** Reads one block, in any order, several ranges at once. Where a datanode fails another one is asked. Thread-safe. */
public interface BlockReader extends AutoCloseable {
    /** Most bytes that are read at once. */
    int MAX_LENGTH = 8 << 20;

    /**
     * Reads a range.
     *
     * @param length 1–{@value #MAX_LENGTH}; the range must lie within the block
     * @return exactly those bytes, checked; fails with an {@code FsException}: {@code UNAVAILABLE} (no datanode answers),
     *     {@code TOKEN_EXPIRED} (ask for the block's location again), {@code BLOCK_CORRUPT}, {@code BLOCK_MISSING}, {@code UNAUTHENTICATED},
     *     {@code INVALID_ARGUMENT}
     */
    CompletionStage<ByteBuffer> read(long offset, int length);

    /** Reads under way fail or complete. Idempotent. */
    @Override
    void close();
}
