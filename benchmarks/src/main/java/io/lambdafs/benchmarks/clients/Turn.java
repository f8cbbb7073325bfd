package io.lambdafs.benchmarks.clients;

/**
 * What clients with so many for a TCP server came to. Immutable.
 *
 * @param servers that listened
 * @param connections of instances to them, all together
 * @param httpCalls until each server had one of every deployment
 * @param connectMillis the same from when the first client was opened
 * @param opsPerSecond of all clients
 * @param p50Micros of a call
 * @param p99Micros of a call
 * @param hitShare part of the answers that came from a cache, 0–1
 */
record Turn(
        int servers,
        int connections,
        long httpCalls,
        double connectMillis,
        double opsPerSecond,
        double p50Micros,
        double p99Micros,
        double hitShare) {}
