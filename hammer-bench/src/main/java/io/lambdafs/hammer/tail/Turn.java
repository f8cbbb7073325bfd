package io.lambdafs.hammer.tail;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * One load with a measure on or off. Immutable.
 *
 * @param outcome of the counted part, with the failures of the warm-up
 * @param readings of the counted part
 */
record Turn(boolean on, Load.Outcome outcome, Readings readings) {

    double usdPerMillion() {
        return outcome.operations() == 0 ? 0 : readings.usd() * 1e6 / outcome.operations();
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
                .put("stops", readings.stops())
                .put("stragglers", readings.stragglers())
                .put("thrashings", readings.thrashings())
                .put("strays", readings.strays())
                .put("http", readings.http())
                .put("starts", readings.starts())
                .put("payPerUseUsd", readings.usd())
                .put("usdPerMillion", usdPerMillion());
    }
}
