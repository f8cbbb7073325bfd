package io.lambdafs.functions.serving;

/**
 * The distance of a process from its steady CPU time per operation: code that is not loaded and compiled yet costs up to
 * fifty times as much. Fed with windows of some operations each; the cost counts as steady once {@value #SETTLED}
 * windows in a row were not a tenth cheaper than the cheapest before them. Thread-safe.
 */
public final class Steadiness {
    /** Operations of a window, at least. */
    public static final int WINDOW = 100;
    /** The least multiple of a process whose windows still become cheaper. */
    static final double UNSETTLED = 2;

    private static final int SETTLED = 3;
    private static final double CHEAPER = 0.9;

    private double least = Double.MAX_VALUE;
    private double last;
    private int since;

    /** Adds a window. */
    public synchronized void add(long operations, long cpuNanos) {
        if (operations <= 0) {
            return;
        }
        last = cpuNanos / (double) operations;
        since = last < least * CHEAPER ? 0 : since + 1;
        least = Math.min(least, last);
    }

    /** Returns whether further operations do not become cheaper. */
    public synchronized boolean isSettled() {
        return since >= SETTLED;
    }

    /**
     * Returns the CPU time per operation of the last window as a multiple of the steady one: 1 or more; at least {@value #UNSETTLED}
     * until settled.
     */
    public synchronized double ofSteady() {
        double ratio = least > 0 && last > 0 ? last / least : 1;
        return since >= SETTLED ? ratio : Math.max(UNSETTLED, ratio);
    }

    /** Returns a copy for other operations of the same process: as settled as this, with costs of its own. */
    public synchronized Steadiness anew() {
        Steadiness copy = new Steadiness();
        copy.since = since >= SETTLED ? SETTLED : 0;
        return copy;
    }
}
