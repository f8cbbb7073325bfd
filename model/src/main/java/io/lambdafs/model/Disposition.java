package io.lambdafs.model;

/** What a caller may do about an error; the one input of the client's retry policy. */
public enum Disposition {
    /** The operation has been decided: repeating it gives the same answer. */
    FINAL,
    /** The operation had no effect: it may be sent again, to the same instance or another. */
    RETRY,
    /** The operation may or may not have taken effect: send it again under the same request id, or report it as unknown. */
    OUTCOME_UNKNOWN
}
