package io.lambdafs.client.block;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;

/**
 * Writes one block, from its first byte to its last. One call at a time: the next one after the stage of the one before has completed.
 *
 * <p>A writer in which a call failed is over, and what it wrote counts for nothing: the block can be written again from its first byte, as another
 * attempt, under another key. Failures are {@code FsException}s: {@code UNAVAILABLE} (no datanode answers), {@code CONNECTION_LOST},
 * {@code TIMED_OUT}, {@code OVERLOADED} (the datanodes have no room for a stream), {@code NOT_FOUND} (the stream was idle for too long),
 * {@code STORE_CONFLICT}, {@code ALREADY_EXISTS} (an object has the attempt's key), {@code STALE_GENERATION}, {@code TOKEN_EXPIRED}, {@code UNAUTHENTICATED}, {@code STORE_FULL}, {@code BLOCK_CORRUPT} (bytes were changed on
 * their way).
 */
public interface BlockWriter {
    /**
     * Adds bytes. They are taken out of the buffer before this returns.
     *
     * @return completes when more can be taken; fails with {@code INVALID_ARGUMENT} where the block would become longer than it may
     */
    CompletionStage<Void> write(ByteBuffer bytes);

    /**
     * Sends what is left and makes the block durable.
     *
     * @return the block with its length and checksum, for the file's metadata; of no byte at all, fails with {@code INVALID_ARGUMENT}
     */
    CompletionStage<WrittenBlock> finish();

    /** Gives up: what was written is dropped. Does nothing after the end. Idempotent; from any thread, at any time. */
    void abort();
}
