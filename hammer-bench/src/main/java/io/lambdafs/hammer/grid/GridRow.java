package io.lambdafs.hammer.grid;

import io.lambdafs.hammer.Latency;

/**
 * What one cell came to. Immutable.
 *
 * @param clients operations under way, each client one at a time
 * @param instances at the end of the cell
 * @param usd what the service cost for it
 */
record GridRow(
        Setup setup, GridOp op, int clients, Latency latency, long failed, double seconds, int instances, double usd) {
    double opsPerSecond() {
        return (latency.count() - failed) / seconds;
    }

    /** Millions of operations for a dollar (the paper's figure 13); 0 where nothing was paid. */
    double millionsPerUsd() {
        return usd <= 0 ? 0 : (latency.count() - failed) / 1e6 / usd;
    }
}
