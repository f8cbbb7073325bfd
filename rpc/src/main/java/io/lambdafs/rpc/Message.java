package io.lambdafs.rpc;

/** Anything that travels in a frame. Each class is registered with the {@link Codec} under a number that never changes. */
public interface Message {
    /**
     * Returns whether the receiver normally answers without waiting for anything. The sending event loop may then spin for the answer
     * ({@link TransportLimits#lookout}) instead of parking.
     */
    default boolean isAnsweredAtOnce() {
        return false;
    }
}
