package io.lambdafs.coordinator;

import io.lambdafs.rpc.message.Message;

/**
 * ACK: the answer to an INV or a greeting.
 *
 * @param epoch of the answering instance: a different epoch from the one asked means that the latter is over
 * @param drained false while operations under a prefix are still in flight: invalidated, but ask again
 */
public record Acknowledgement(long epoch, boolean drained) implements Message {
    /** Stands for an instance whose process is provably gone: nothing answers under any of its epochs. */
    public static final Acknowledgement GONE = new Acknowledgement(0, true);
}
