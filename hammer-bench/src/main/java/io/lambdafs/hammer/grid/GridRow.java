package io.lambdafs.hammer.grid;

import io.lambdafs.hammer.result.Latency;

/**
 * The result of one cell. Immutable.
 *
 * @param latency of operations that succeeded
 * @param clients operations in flight, one per client
 * @param instances at the end of the cell
 * @param usd cost of the service during the cell
 */
record GridRow(
        Setup setup, GridOp op, int clients, Latency latency, long failed, double seconds, int instances, double usd) {
    double opsPerSecond() {
        return latency.count() / seconds;
    }

    /** Returns millions of operations per dollar (the paper's figure 13); 0 if nothing was paid. */
    double millionsPerUsd() {
        return usd <= 0 ? 0 : latency.count() / 1e6 / usd;
    }
}
