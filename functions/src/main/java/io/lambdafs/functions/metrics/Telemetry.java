package io.lambdafs.functions.metrics;

import io.lambdafs.model.Operation;
import io.lambdafs.model.Reply;

/** Hears what the NameNode does. Called on hot paths: must be cheap, must not block. Thread-safe. */
public interface Telemetry {
    Telemetry NONE = new Telemetry() {};

    /** An operation has been answered. */
    default void answered(Operation<?> operation, Reply reply, boolean cacheHit, long nanos) {}

    /**
     * The directories of a path have been looked up.
     *
     * @param cached how many of them were cached links
     * @param read how many had to be read from the store
     */
    default void resolved(int cached, int read) {}

    /** A round of invalidations has ended. */
    default void round(int targets, long nanos) {}

    /** A subtree operation has ended its round. */
    default void subtreeRound(int targets, long nanos) {}

    /** Another's epoch was ended. */
    default void fenced() {}

    /** Rows of detached trees have been removed. */
    default void reclaimed(int rows) {}
}
