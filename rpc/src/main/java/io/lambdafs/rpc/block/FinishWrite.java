package io.lambdafs.rpc.block;

import io.lambdafs.rpc.message.Message;

/**
 * Makes a block durable, if it has the client's length and checksum. Answered by {@link WriteFinished} or
 * {@code Failed}; the stream is over.
 *
 * @param length of the whole block
 * @param crc32c CRC-32C of the whole block
 */
public record FinishWrite(long stream, long length, int crc32c) implements Message {}
