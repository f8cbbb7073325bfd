package io.lambdafs.benchmarks.clients;

/**
 * The result of one turn at one limit of clients per TCP server. Immutable.
 *
 * @param servers listening TCP servers
 * @param connections from instances to all these servers
 * @param httpCalls HTTP calls until each server had a connection to every deployment
 * @param connectMillis time from the first client's opening until then
 * @param opsPerSecond of all clients
 * @param p50Micros median latency of a call
 * @param p99Micros 99th percentile of the same
 * @param hitShare share of answers from a cache, 0–1
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
