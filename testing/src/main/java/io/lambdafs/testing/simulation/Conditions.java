package io.lambdafs.testing.simulation;

/** How bad things are at the moment: what the faults set, and the parts of a simulation look at. Not thread-safe. */
final class Conditions {
    private static final double TWIN = 0.03;
    private static final long TWIN_NANOS = 300_000_000L;

    /** Probability that the store ends a transaction at a call, as a deadlock or its limit does. */
    double storeConflict;
    /** Probability that the connection to the store breaks under a commit, half the time before it happens and half after. */
    double commitLost;
    /** Longest time that the disk takes for a commit, nanoseconds. */
    long diskNanos = 300_000;
    /** Longest cold start, nanoseconds. */
    long coldStartNanos = 300_000_000L;
    /** Probability that an instance does not start. */
    double startFailure;
    /** Longest time by which news of the membership are late, nanoseconds. */
    long newsNanos;
    /** Probability that a writing request has a twin. */
    double twin = TWIN;
    /** Longest delay of a twin, nanoseconds. */
    long twinNanos = TWIN_NANOS;

    /** No more twins than usual. */
    void usualTwins() {
        twin = TWIN;
        twinNanos = TWIN_NANOS;
    }

    /** Fair weather. */
    void calm() {
        storeConflict = 0;
        commitLost = 0;
        diskNanos = 300_000;
        coldStartNanos = 300_000_000L;
        startFailure = 0;
        newsNanos = 0;
        twin = 0;
    }
}
