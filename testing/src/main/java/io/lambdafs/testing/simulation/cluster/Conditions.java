package io.lambdafs.testing.simulation.cluster;

/** The current fault conditions of a simulation, set by the faults and read by its parts. Not thread-safe. */
public final class Conditions {
    private static final double TWIN = 0.03;
    private static final long TWIN_NANOS = 300_000_000L;

    /** Probability that the store ends a transaction at a call, as on a deadlock or timeout. */
    public double storeConflict;
    /**
     * Probability that the store connection breaks during a commit, half of the time before it takes effect and half
     * after.
     */
    public double commitLost;
    /** Maximum disk time of a commit, in nanoseconds. */
    public long diskNanos = 300_000;
    /** Maximum cold start, in nanoseconds. */
    public long coldStartNanos = 300_000_000L;
    /** Probability that an instance fails to start. */
    public double startFailure;
    /** Maximum delay of membership changes, in nanoseconds. */
    public long newsNanos;
    /** Probability that a write request has a twin. */
    public double twin = TWIN;
    /** Maximum delay of a twin, in nanoseconds. */
    public long twinNanos = TWIN_NANOS;

    /** Resets twins to the default. */
    public void usualTwins() {
        twin = TWIN;
        twinNanos = TWIN_NANOS;
    }

    /** Resets all conditions to fault-free. */
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
