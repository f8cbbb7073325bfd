package io.lambdafs.cluster.settings;

import static io.lambdafs.cluster.settings.SettingsCheck.check;

/**
 * Limits of the gateway's pool.
 *
 * @param memoryMb memory budget of all instances together
 * @param maxInstances of one deployment; 1 switches scaling off
 * @param keepAliveMillis how long an instance without HTTP requests stays
 * @param prewarm processes kept started for the next instance
 * @param startConcurrency instances starting at once
 */
public record PoolSettings(int memoryMb, int maxInstances, long keepAliveMillis, int prewarm, int startConcurrency) {
    public PoolSettings {
        check(memoryMb >= 1, "pool.memoryMb", "at least 1", memoryMb);
        check(maxInstances >= 1 && maxInstances <= 1_000, "pool.maxInstances", "1..1000", maxInstances);
        check(keepAliveMillis >= 100, "pool.keepAliveMillis", "at least 100", keepAliveMillis);
        check(prewarm >= 0 && prewarm <= 100, "pool.prewarm", "0..100", prewarm);
        check(startConcurrency >= 1 && startConcurrency <= 100, "pool.startConcurrency", "1..100", startConcurrency);
    }
}
