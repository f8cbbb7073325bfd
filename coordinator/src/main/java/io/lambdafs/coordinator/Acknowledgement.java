package io.lambdafs.coordinator;

import io.lambdafs.rpc.Message;

/**
 * ACK.
 *
 * @param epoch of the instance that answers: an acknowledgement of another epoch than the one asked means that the asked one is over
 * @param drained false while operations under a prefix are still under way: invalidated, ask again
 */
public record Acknowledgement(long epoch, boolean drained) implements Message {
    /** In the name of an instance whose process has provably gone: nothing answers under any of its epochs. */
    public static final Acknowledgement GONE = new Acknowledgement(0, true);
}
