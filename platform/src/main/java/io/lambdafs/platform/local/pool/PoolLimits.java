package io.lambdafs.platform.local.pool;

import java.time.Duration;

/**
 * The limits of an instance pool. Immutable.
 *
 * @param memoryMb total memory charged for all instances
 * @param maxInstances instances per action; 1 disables scaling out
 * @param queueLimit waiting calls per action; more are refused with 429
 * @param queueWait longest wait of a call for an instance, which then fails with 503
 * @param keepAlive how long an instance stays that has no HTTP invocations and is not busy either: one that is billed for most
 *     of the time serves requests over TCP, and to reclaim it would only make clients ask for another. An action's last one
 *     stays as long as it is billed at all, and for twice what starting one of every action takes, where that is longer
 * @param stopGrace time between SIGTERM and SIGKILL
 * @param prewarm processes kept started but not initialised, for each kind and memory in use
 * @param startConcurrency instances starting at once
 */
public record PoolLimits(
        int memoryMb,
        int maxInstances,
        int queueLimit,
        Duration queueWait,
        Duration keepAlive,
        Duration stopGrace,
        int prewarm,
        int startConcurrency) {
    public PoolLimits {
        atLeast("memoryMb", memoryMb, 1);
        atLeast("maxInstances", maxInstances, 1);
        atLeast("queueLimit", queueLimit, 1);
        atLeast("queueWaitMillis", queueWait.toMillis(), 1);
        atLeast("keepAliveMillis", keepAlive.toMillis(), 1);
        atLeast("stopGraceMillis", stopGrace.toMillis(), 0);
        atLeast("prewarm", prewarm, 0);
        atLeast("startConcurrency", startConcurrency, 1);
    }

    /**
     * Returns the defaults: 4,096 MB, 16 instances and 1,000 waiting calls per action, 30 s queue wait, 10 s
     * keep-alive, 5 s grace, 1 prewarmed, 2 starts.
     */
    public static PoolLimits defaults() {
        return new PoolLimits(
                4096, 16, 1000, Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(5), 1, 2);
    }

    public PoolLimits withMemoryMb(int mb) {
        return new PoolLimits(mb, maxInstances, queueLimit, queueWait, keepAlive, stopGrace, prewarm, startConcurrency);
    }

    public PoolLimits withMaxInstances(int instances) {
        return new PoolLimits(
                memoryMb, instances, queueLimit, queueWait, keepAlive, stopGrace, prewarm, startConcurrency);
    }

    /** Returns limits with another queue. */
    public PoolLimits withQueue(int limit, Duration wait) {
        return new PoolLimits(memoryMb, maxInstances, limit, wait, keepAlive, stopGrace, prewarm, startConcurrency);
    }

    public PoolLimits withKeepAlive(Duration idle) {
        return new PoolLimits(
                memoryMb, maxInstances, queueLimit, queueWait, idle, stopGrace, prewarm, startConcurrency);
    }

    public PoolLimits withStopGrace(Duration grace) {
        return new PoolLimits(
                memoryMb, maxInstances, queueLimit, queueWait, keepAlive, grace, prewarm, startConcurrency);
    }

    public PoolLimits withPrewarm(int processes) {
        return new PoolLimits(
                memoryMb, maxInstances, queueLimit, queueWait, keepAlive, stopGrace, processes, startConcurrency);
    }

    public PoolLimits withStartConcurrency(int starts) {
        return new PoolLimits(memoryMb, maxInstances, queueLimit, queueWait, keepAlive, stopGrace, prewarm, starts);
    }

    private static void atLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(name + " must be at least " + least + ", is " + value);
        }
    }
}
