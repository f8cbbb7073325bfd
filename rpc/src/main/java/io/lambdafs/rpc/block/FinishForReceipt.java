package io.lambdafs.rpc.block;

import io.lambdafs.rpc.message.Message;

/**
 * A {@link FinishWrite} that is answered by a {@link WriteReceipt}.
 *
 * @param length of the whole block
 * @param crc32c CRC-32C of the whole block
 */
public record FinishForReceipt(long stream, long length, int crc32c) implements Message {}
