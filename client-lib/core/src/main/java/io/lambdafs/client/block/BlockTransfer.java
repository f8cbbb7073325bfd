package io.lambdafs.client.block;

import io.lambdafs.model.LocatedBlock;

/** Writes and reads blocks. Thread-safe. */
public interface BlockTransfer extends AutoCloseable {
    /**
     * Begins to write a block. Nothing is sent before its first byte.
     *
     * @param target whose leave is for writing, and whose block's length is the most that it may have
     * @param copy has what is given to the writer, and is whole as long as the writer is used
     */
    BlockWriter write(LocatedBlock target, BlockCopy copy);

    /**
     * Begins to read a block. Nothing is sent before the first read.
     *
     * @param source whose leave is for reading
     */
    BlockReader read(LocatedBlock source);

    /** Closes connections; what is under way fails with {@code CONNECTION_LOST}. */
    @Override
    void close();
}
