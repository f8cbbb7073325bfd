package io.lambdafs.rpc.tracing;

import org.jspecify.annotations.Nullable;

/** A started span. Thread-safe. */
public interface Traced {
    /** Returns the parent context for child spans. */
    TraceParent context();

    /**
     * Ends the span; only the first call counts.
     *
     * @param error the failure; null for none
     */
    void end(@Nullable String error);
}
