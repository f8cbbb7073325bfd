package io.lambdafs.rpc.block;

import io.lambdafs.rpc.message.Message;

/**
 * A block can be written.
 *
 * @param stream names it on this connection
 * @param windowBytes the maximum number of bytes sent and not yet answered, at least a quarter of the largest chunk
 */
public record WriteOpened(long stream, int windowBytes) implements Message {}
