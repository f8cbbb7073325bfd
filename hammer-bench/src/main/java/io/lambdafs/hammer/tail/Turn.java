package io.lambdafs.hammer.tail;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * One load with a measure on or off. Immutable.
 *
 * @param stops number of times that an instance was stopped
 * @param stragglers attempts given up and repeated elsewhere
 * @param thrashings number of times that anti-thrashing mode began
 * @param strays requests to instances of other deployments
 * @param http requests by HTTP
 * @param starts number of instances started
 * @param usd pay-per-use cost
 */
record Turn(
        boolean on,
        Load.Outcome outcome,
        int stops,
        long stragglers,
        long thrashings,
        long strays,
        long http,
        long starts,
        double usd) {

    double usdPerMillion() {
        return outcome.operations() == 0 ? 0 : usd * 1e6 / outcome.operations();
    }

    void json(ObjectNode node) {
        node.put("on", on)
                .put("operations", outcome.operations())
                .put("failed", outcome.failed())
                .put("opsPerSecond", Math.round(outcome.opsPerSecond() * 10) / 10.0)
                .put("p50Micros", outcome.p50Micros())
                .put("p99Micros", outcome.p99Micros())
                .put("p999Micros", outcome.p999Micros())
                .put("maxMicros", outcome.maxMicros())
                .put("stops", stops)
                .put("stragglers", stragglers)
                .put("thrashings", thrashings)
                .put("strays", strays)
                .put("http", http)
                .put("starts", starts)
                .put("payPerUseUsd", usd)
                .put("usdPerMillion", usdPerMillion());
    }
}
