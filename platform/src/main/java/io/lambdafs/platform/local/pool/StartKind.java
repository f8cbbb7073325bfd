package io.lambdafs.platform.local.pool;

/** The state of the instance that an activation got. */
public enum StartKind {
    /** An instance started for it. */
    COLD,
    /** A running process that had to be initialised. */
    PREWARMED,
    /** An instance that had served before. */
    WARM
}
