package io.lambdafs.coordinator;

import java.util.concurrent.CompletionStage;

/** Carries INV and ACK between instances. Thread-safe. */
public interface InvalidationChannel extends AutoCloseable {
    /** What the receiving side does; never blocks. */
    interface Receiver {
        CompletionStage<Acknowledgement> invalidate(Invalidation invalidation);

        CompletionStage<Acknowledgement> greet(Greeting greeting);
    }

    /** Begins to listen, and says where: the member's host and port. Called once, before anything is sent. */
    CompletionStage<Endpoint> open(Receiver receiver);

    /** Where other instances reach this one. */
    record Endpoint(String host, int port) {}

    /**
     * Sends an INV. Those for one instance that wait to be sent go together.
     *
     * @return the ACK, {@link Acknowledgement#GONE} where it is certain that the target's process has ended; fails with {@code UNAVAILABLE}, {@code CONNECTION_LOST} or {@code TIMED_OUT}; with {@code OVERLOADED} when it
     *     was not sent through no fault of the target, which is then asked again; with {@code BAD_FRAME} when it is too large
     */
    CompletionStage<Acknowledgement> invalidate(Member target, Invalidation invalidation, long timeoutNanos);

    CompletionStage<Acknowledgement> greet(Member target, Greeting greeting, long timeoutNanos);

    /** Says which members there are; what is kept for others, a connection perhaps, goes. Never blocks. */
    default void retain(View view) {}

    @Override
    void close();
}
