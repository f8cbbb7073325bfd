package io.lambdafs.client.transport;

/**
 * A moving average of latencies: the mean of the first {@value #WINDOW}, from then on each new one counts for 1 in {@value #WINDOW}.
 * Weighted so rather than over a window of values: it is one number to read and write on the way of every request, needs no lock,
 * and follows a change of the load within some {@value #WINDOW} requests, that is by requests and not by time, so that it is as
 * trustworthy under ten requests a second as under a hundred thousand. A latency beyond a limit that was derived from the average should
 * be recorded as that limit: a single hang of seconds then does not lift the average, and the limit with it, out of reach, while a service that
 * has become slow as a whole still does within a window. Thread-safe; updates may be lost to each other, for it is an estimate.
 */
public final class MovingAverage {
    public static final int WINDOW = 64;
    /** Latencies before which nothing is said. */
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

    /** So many times the average, but at least the floor, in nanoseconds; {@link Long#MAX_VALUE} while too little is known. */
    public long limit(double times, long floorNanos) {
        return count < FIRST ? Long.MAX_VALUE : Math.max(floorNanos, (long) (times * nanos));
    }
}
