package io.lambdafs.client.block;

import io.lambdafs.model.block.LocatedBlock;

/** Writes and reads blocks. Thread-safe. */
public interface BlockTransfer extends AutoCloseable {
    /**
     * Begins to write a block. Nothing is sent before its first byte.
     *
     * @param target with permission to write; its block's length is the maximum
     * @param copy keeps the bytes given to the writer, all of them for as long as the writer is used
     */
    BlockWriter write(LocatedBlock target, BlockCopy copy);

    /**
     * Begins to read a block. Nothing is sent before the first read.
     *
     * @param source with permission to read
     */
    BlockReader read(LocatedBlock source);

    /** Closes connections; calls in progress fail with {@code CONNECTION_LOST}. */
    @Override
    void close();
}
