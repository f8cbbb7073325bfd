package io.lambdafs.hammer.result;

import io.lambdafs.hammer.tree.ImportedTree;
import io.lambdafs.hammer.tree.Trees;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A result in which no two figures are the same, so that one in another's place shows. */
public final class SampleResult {
    private SampleResult() {}

    /** A latency: mean, p50, p90, p99, p99.9 and maximum are this, and 1 to 5 times as much more. */
    public static Latency latency(long count, long mean) {
        return new Latency(
                count,
                mean + 0.5,
                2 * mean,
                3 * mean,
                4 * mean,
                5 * mean,
                6 * mean,
                List.of(new Latency.Point(0, mean), new Latency.Point(90, 3 * mean)));
    }

    /** An import of nothing. */
    public static ImportedTree nothing() {
        return new ImportedTree(Trees.TARGET, List.of());
    }

    /** Returns the result of a load that succeeded. */
    public static ReplayResult whole() {
        return with(0, List.of());
    }

    /** One with failed operations. */
    public static ReplayResult with(long failed, List<String> failures) {
        Map<String, Latency> latencies = new LinkedHashMap<>();
        latencies.put("read", latency(8_000, 700));
        latencies.put("mv", latency(0, 0));
        latencies.put(ReplayResult.ALL, latency(9_000, 1_100));
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("Workload", "a <mix>");
        settings.put("Note </script>", "<b>&{{data}}");
        return new ReplayResult(
                9_000,
                failed,
                30.12345,
                298.76,
                301.24,
                7,
                2,
                0.91234,
                0.0123,
                latencies,
                Map.of(
                        ReplayResult.BURST,
                        latency(1_000, 4_000),
                        ReplayResult.BURST_READS,
                        latency(900, 3_000),
                        ReplayResult.CALM,
                        latency(8_000, 500)),
                new Listings(2_000, 340, latency(300, 2_400), latency(1_700, 1_200)),
                new Cost(0.0123456, 0.0234567, 0.0345678, 1.3717333),
                new ServerfulFleet(2, 0.36),
                11,
                List.of(
                        new SeriesPoint(1.004, 310.06, 305.04, 1_500, 2_500, List.of(1, 2), 0.81234, 0.001, 0.002, 5),
                        new SeriesPoint(2.006, 290.04, 295.06, 1_600, 2_600, List.of(3, 4), 0.91236, 0.003, 0.004, 6)),
                failures,
                settings,
                "");
    }
}
