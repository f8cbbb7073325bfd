package io.lambdafs.rpc.block;

import io.lambdafs.rpc.Message;

/**
 * Begins to write a block. Answered by {@link WriteOpened} or {@code Failed}. What a connection has opened ends with it.
 *
 * @param token for writing it; not copied
 */
@SuppressWarnings("ArrayRecordComponent")
public record OpenWrite(byte[] token) implements Message {
    /** Without the token, which is a secret. */
    @Override
    public String toString() {
        return "OpenWrite[]";
    }
}
