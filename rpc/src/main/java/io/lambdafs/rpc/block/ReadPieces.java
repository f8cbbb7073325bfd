package io.lambdafs.rpc.block;

import io.lambdafs.rpc.message.Message;

/**
 * Requests bytes of a block, which the requester will check. Answered by {@link BlockPieces}, by {@link BlockBytes} if
 * the datanode has no file to send from, or by {@code Failed}. A datanode of an earlier version answers
 * {@code BAD_FRAME}.
 *
 * @param token for reading it; not copied
 * @param offset in the block, a multiple of {@link Seal#GRANULE}
 * @param length at least 1, at most {@value WriteChunk#MAX_BYTES}; a multiple of the granule, unless the block ends
 *     there
 */
@SuppressWarnings("ArrayRecordComponent")
public record ReadPieces(byte[] token, long offset, int length) implements Message {
    /** Omits the token, which is a secret. */
    @Override
    public String toString() {
        return "ReadPieces[offset=" + offset + ", length=" + length + "]";
    }
}
