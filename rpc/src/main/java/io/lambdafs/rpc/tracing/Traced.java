package io.lambdafs.rpc.tracing;

import org.jspecify.annotations.Nullable;

/** A span that has begun. Thread-safe. */
public interface Traced {
    /** What spans below it name as their parent. */
    TraceParent context();

    /**
     * Ends it; only the first call counts.
     *
     * @param error what went wrong; null for nothing
     */
    void end(@Nullable String error);
}
