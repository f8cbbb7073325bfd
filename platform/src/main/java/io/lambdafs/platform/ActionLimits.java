package io.lambdafs.platform;

/**
 * The limits of one function instance. Immutable.
 *
 * @param timeoutMillis longest {@code /init} or {@code /run}
 * @param memoryMb memory charged for an instance
 * @param logsMb most log text in an activation record
 * @param concurrency most concurrent {@code /run} of an instance: the paper's ConcurrencyLevel (§3.4)
 */
public record ActionLimits(long timeoutMillis, int memoryMb, int logsMb, int concurrency) {
    public ActionLimits {
        if (timeoutMillis < 100) {
            throw new IllegalArgumentException("timeout " + timeoutMillis + " ms is below the least, 100 ms");
        }
        if (memoryMb < 1) {
            throw new IllegalArgumentException("memory " + memoryMb + " MB is below the least, 1 MB");
        }
        if (logsMb < 0) {
            throw new IllegalArgumentException("logs " + logsMb + " MB is below the least, 0 MB");
        }
        if (concurrency < 1) {
            throw new IllegalArgumentException("concurrency " + concurrency + " is below the least, 1");
        }
    }

    /** Returns OpenWhisk's defaults: 60 s, 256 MB, 10 MB of logs, one call at a time. */
    public static ActionLimits defaults() {
        return new ActionLimits(60_000, 256, 10, 1);
    }
}
