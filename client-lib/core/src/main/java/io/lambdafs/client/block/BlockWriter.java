package io.lambdafs.client.block;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;

/**
 * Writes one block, from its first byte to its last. One call at a time: the next one only after the previous stage has
 * completed.
 *
 * <p>A failed call ends the writer, and its bytes count for nothing: the block can be written again from its first
 * byte, as another attempt, under another key. Failures are {@code FsException}s: {@code UNAVAILABLE} (no datanode
 * answers), {@code CONNECTION_LOST}, {@code TIMED_OUT}, {@code OVERLOADED} (the datanodes have no room for a stream),
 * {@code NOT_FOUND} (the stream was idle for too long), {@code STORE_CONFLICT}, {@code ALREADY_EXISTS} (an object has
 * the attempt's key), {@code STALE_GENERATION}, {@code TOKEN_EXPIRED}, {@code UNAUTHENTICATED}, {@code STORE_FULL},
 * {@code BLOCK_CORRUPT} (bytes were changed in transit).
 */
public interface BlockWriter {
    /**
     * Adds bytes, consuming them from the buffer before it returns.
     *
     * @return completes when it can take more; fails with {@code INVALID_ARGUMENT} if the block would become too long
     */
    CompletionStage<Void> write(ByteBuffer bytes);

    /**
     * Sends the remaining bytes and makes the block durable.
     *
     * @return the block with its length and checksum, for the file's metadata; fails with {@code INVALID_ARGUMENT} for
     *     an empty block
     */
    CompletionStage<WrittenBlock> finish();

    /**
     * Gives up, and drops the written bytes; does nothing after the end. Idempotent; may be called on any thread at any
     * time.
     */
    void abort();
}
