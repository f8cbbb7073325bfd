package io.lambdafs.rpc;

/** Anything that travels in a frame. Each class is registered with the {@link Codec} under a number that never changes. */
public interface Message {
    /**
     * Whether whoever gets it answers without waiting for anything, as a rule. Then the event loop that has sent it may look for the answer for a
     * while ({@link TransportLimits#lookout}) rather than go to sleep and be woken up.
     */
    default boolean isAnsweredAtOnce() {
        return false;
    }
}
