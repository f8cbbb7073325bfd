package io.lambdafs.rpc.block;

import io.lambdafs.rpc.message.Message;

/**
 * Starts to write a block. Answered by {@link WriteOpened} or {@code Failed}. A connection's streams end with it.
 *
 * @param token for writing it; not copied
 */
@SuppressWarnings("ArrayRecordComponent")
public record OpenWrite(byte[] token) implements Message {
    /** Omits the token, which is a secret. */
    @Override
    public String toString() {
        return "OpenWrite[]";
    }
}
