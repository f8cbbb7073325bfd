package io.lambdafs.rpc.block;

import io.lambdafs.rpc.message.Message;

/**
 * Requests bytes of a block. Answered by {@link BlockBytes} or {@code Failed}.
 *
 * @param token for reading it; not copied
 * @param offset in the block
 * @param length at least 1, at most {@value WriteChunk#MAX_BYTES}; the range must lie within the block
 */
@SuppressWarnings("ArrayRecordComponent")
public record ReadBlock(byte[] token, long offset, int length) implements Message {
    /** Omits the token, which is a secret. */
    @Override
    public String toString() {
        return "ReadBlock[offset=" + offset + ", length=" + length + "]";
    }
}
