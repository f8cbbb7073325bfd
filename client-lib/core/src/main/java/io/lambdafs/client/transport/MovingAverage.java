package io.lambdafs.client.transport;

/**
 * An exponential moving average of latencies: the mean of the first {@value #WINDOW}, after which each new value has
 * weight 1/{@value #WINDOW}. Unlike a window of values it is a single number, needs no lock, and adapts within about
 * {@value #WINDOW} requests, not by time, so it is equally reliable at ten and at a hundred thousand requests a second.
 * A latency above a limit derived from the average should be recorded as that limit: a single hang of seconds then does
 * not inflate the average and the limit, while a service that is slow overall still does so within a window.
 * Thread-safe; an estimate, so concurrent updates may be lost.
 */
public final class MovingAverage {
    public static final int WINDOW = 64;
    /** Minimum number of latencies before a limit is given. */
    public static final int FIRST = 16;

    private volatile double nanos;
    private volatile int count;

    public void record(long latencyNanos) {
        int n = count;
        if (n < WINDOW) {
            n++;
            count = n;
        }
        double before = nanos;
        nanos = before + (latencyNanos - before) / n;
    }

    /**
     * Returns a multiple of the average, at least the floor, in nanoseconds; {@link Long#MAX_VALUE} until enough is
     * known.
     */
    public long limit(double times, long floorNanos) {
        return count < FIRST ? Long.MAX_VALUE : Math.max(floorNanos, (long) (times * nanos));
    }
}
