package io.lambdafs.hammer.scale;

import io.lambdafs.hammer.result.Latency;
import io.lambdafs.hammer.result.SampleResult;
import java.util.List;
import java.util.Map;

/** A simulation's result in which no two figures are the same. */
final class SampleScale {
    private SampleScale() {}

    static ScaleResult of(String scenario, Map<String, Double> values) {
        Latency calls = SampleResult.latency(9_000, 150);
        return new ScaleResult(
                scenario,
                SampleResult.whole(),
                calls,
                List.of(new ScaleResult.Part("store", 0.123456, 0.5), new ScaleResult.Part("gateway", 0.25, 0.3)),
                Map.of("INVs", 1_234L, "HTTP calls", 56L),
                7.5,
                values);
    }
}
