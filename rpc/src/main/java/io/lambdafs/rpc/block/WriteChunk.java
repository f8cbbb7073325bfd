package io.lambdafs.rpc.block;

import io.lambdafs.rpc.message.Message;

/**
 * The next bytes of a block. Answered by {@code Done} once the datanode has made room for another chunk, or by
 * {@code Failed}: then the stream is over.
 *
 * @param offset in the block: the sum of the chunks before
 * @param bytes at least 1, at most {@value #MAX_BYTES}; not copied
 * @param crc32c CRC-32C of them
 */
@SuppressWarnings("ArrayRecordComponent")
public record WriteChunk(long stream, long offset, byte[] bytes, int crc32c) implements Message {
    /** The maximum number of bytes in a chunk, in both directions. */
    public static final int MAX_BYTES = 1 << 20;

    /** Omits the bytes. */
    @Override
    public String toString() {
        return "WriteChunk[stream=" + stream + ", offset=" + offset + ", " + bytes.length + " bytes]";
    }
}
