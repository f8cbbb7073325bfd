package io.lambdafs.platform.local.pool;

/** What an activation found. */
public enum StartKind {
    /** An instance that was started for it. */
    COLD,
    /** A process that was running but had to be initialised. */
    PREWARMED,
    /** An instance that had served before. */
    WARM
}
