package io.lambdafs.client.block;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The written bytes of a block, kept by its writer until they are durable. */
public interface BlockCopy {
    /** Returns whether all added bytes can be read again. */
    boolean isWhole();

    /**
     * Fills a buffer with bytes from a position on. Called on any thread, after the last byte was added.
     *
     * @throws IOException if it has ended, or the copy has been closed
     */
    void read(long from, ByteBuffer into) throws IOException;
}
