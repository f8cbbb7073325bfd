package io.lambdafs.coordinator;

import java.util.concurrent.CompletionStage;

/** Carries INV and ACK between instances. Thread-safe. */
public interface InvalidationChannel extends AutoCloseable {
    /** The receiving side; never blocks. */
    interface Receiver {
        CompletionStage<Acknowledgement> invalidate(Invalidation invalidation);

        CompletionStage<Acknowledgement> greet(Greeting greeting);
    }

    /** Starts listening and returns the address: the member's host and port. Called once, before anything is sent. */
    CompletionStage<Endpoint> open(Receiver receiver);

    /** The address at which other instances reach this one. */
    record Endpoint(String host, int port) {}

    /**
     * Sends an INV. Queued INVs for the same instance are sent together.
     *
     * @return the ACK, or {@link Acknowledgement#GONE} if the target's process has certainly ended; fails with {@code
     *     UNAVAILABLE}, {@code CONNECTION_LOST} or {@code TIMED_OUT}; with {@code OVERLOADED} if it was not sent
     *     through no fault of the target, which is then asked again; with {@code BAD_FRAME} if it is too large
     */
    CompletionStage<Acknowledgement> invalidate(Member target, Invalidation invalidation, long timeoutNanos);

    CompletionStage<Acknowledgement> greet(Member target, Greeting greeting, long timeoutNanos);

    /** Releases the resources, such as connections, of instances that are not members. Never blocks. */
    default void retain(View view) {}

    @Override
    void close();
}
