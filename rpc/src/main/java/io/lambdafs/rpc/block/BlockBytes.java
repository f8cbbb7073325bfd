package io.lambdafs.rpc.block;

import io.lambdafs.rpc.message.Message;

/**
 * The requested bytes, complete.
 *
 * @param offset in the block
 * @param bytes not copied
 * @param crc32c CRC-32C of them
 */
@SuppressWarnings("ArrayRecordComponent")
public record BlockBytes(long offset, byte[] bytes, int crc32c) implements Message {
    /** Omits the bytes. */
    @Override
    public String toString() {
        return "BlockBytes[offset=" + offset + ", " + bytes.length + " bytes]";
    }
}
