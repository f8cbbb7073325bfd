package io.lambdafs.hammer.phases;

import io.lambdafs.hammer.result.Latency;

/**
 * The result of a phase. Immutable.
 *
 * @param latency service times of operations that did not fail, from sending to the answer
 */
public record PhaseResult(Phase phase, Latency latency, long failed, double seconds) {
    /** Returns the throughput of operations that did not fail. */
    public double opsPerSecond() {
        return latency.count() / Math.max(1e-9, seconds);
    }
}
