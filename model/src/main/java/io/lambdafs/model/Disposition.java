package io.lambdafs.model;

/** Tells whether a failed operation may be retried; the only input to the client's retry policy. */
public enum Disposition {
    /** The outcome is final: repeating the operation gives the same answer. */
    FINAL,
    /** The operation had no effect: it may be sent again, to the same instance or another. */
    RETRY,
    /** The operation may or may not have taken effect: send it again under the same request id, or report it as unknown. */
    OUTCOME_UNKNOWN
}
