package io.lambdafs.functions.metrics;

import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.OperationKind;
import io.lambdafs.model.operation.Reply;

/** A listener for the NameNode's events. Called on hot paths: must be cheap and must not block. Thread-safe. */
public interface Telemetry {
    Telemetry NONE = new Telemetry() {};

    /** Where a page of a directory came from. */
    enum Listed {
        /** From the cached listing; only the times and counts of directories in it may have been read. */
        CACHE,
        /** From the cached listing and the rows of the names that had changed since. */
        REPAIRED,
        /** From a listing that was read from the store and cached. */
        FILLED,
        /** From rows of the store that were not cached. */
        PAGE;

        /** Returns whether the directory itself was read from the store. */
        boolean readsDirectory() {
            return this == FILLED || this == PAGE;
        }
    }

    /** Called when a page that the cache alone could not answer has been put together. */
    default void listed(Listed from) {}

    /** Called when an operation has arrived, with its user as the token proves. */
    default void arrived(String user, OperationKind kind) {}

    /** Called when an operation has been answered. */
    default void answered(Operation<?> operation, Reply reply, boolean cacheHit, long nanos) {}

    /**
     * Called when a path's directories have been looked up.
     *
     * @param cached number of cached links among them
     * @param read number read from the store
     */
    default void resolved(int cached, int read) {}

    /** Called when an invalidation round has ended. */
    default void round(int targets, long nanos) {}

    /** Called when a subtree operation's round has ended. */
    default void subtreeRound(int targets, long nanos) {}

    /** Called when this instance has fenced another. */
    default void fenced() {}

    /** Called when rows of detached trees have been removed. */
    default void reclaimed(int rows) {}
}
