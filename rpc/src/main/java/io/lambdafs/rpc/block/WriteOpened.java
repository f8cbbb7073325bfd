package io.lambdafs.rpc.block;

import io.lambdafs.rpc.Message;

/**
 * A block can be written.
 *
 * @param stream names it on this connection
 * @param window how many chunks may be sent and not yet answered
 */
public record WriteOpened(long stream, int window) implements Message {}
