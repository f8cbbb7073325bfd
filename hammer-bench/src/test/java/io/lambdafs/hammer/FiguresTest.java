package io.lambdafs.hammer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each figure stands under its name, in every form of a report. */
final class FiguresTest {
    private static final List<Latency.Point> CURVE = List.of(new Latency.Point(0, 11), new Latency.Point(90, 19));
    private static final Latency STAT = new Latency(101, 11.5, 12, 13, 14, 15, 16, CURVE);
    private static final Latency ALL = new Latency(202, 21.5, 22, 23, 24, 25, 26, CURVE);
    private static final SeriesPoint SECOND =
            new SeriesPoint(1.25, 31, 32, 33, 34, List.of(35, 36), 0.37, 0.000038, 0.000039, 40);

    @TempDir
    private Path folder;

    private static ReplayResult result() {
        return new ReplayResult(
                51,
                52,
                53,
                54,
                55,
                56,
                57,
                0.58,
                0.59,
                Map.of("stat", STAT, ReplayResult.ALL, ALL),
                Map.of(),
                new Cost(60.5, 61.5, 62.5, 63.5),
                new ServerfulFleet(2, 360),
                64,
                List.of(SECOND),
                List.of("what failed"),
                Map.of(),
                "");
    }

    @Test
    void shouldStandUnderTheirNamesInJson() throws Exception {
        JsonNode json = new ObjectMapper().readTree(Report.json(result(), folder.resolve("page")));
        ((ObjectNode) json).remove("report");
        assertThat(json).isEqualTo(new ObjectMapper().readTree("""
                {"schema": 1, "operations": 51, "failed": 52, "seconds": 53.0, "opsPerSecond": 54.0,
                 "offeredOpsPerSecond": 55.0, "peakInstances": 56, "finalInstances": 57, "cacheHitRate": 0.58,
                 "latencyMicros": {
                   "stat": {"mean": 11.5, "p50": 12, "p99": 14, "p999": 15, "max": 16},
                   "all": {"mean": 21.5, "p50": 22, "p99": 24, "p999": 25, "max": 26}},
                 "cost": {"payPerUseUsd": 60.5, "serverfulUsd": 62.5, "perMillionOpsUsd": 63.5}, "seed": 64}
                """));
    }

    @Test
    void shouldStandUnderTheirNamesInCsv() throws Exception {
        Report.write(result(), folder);
        assertThat(Files.readAllLines(folder.resolve("report.csv")))
                .containsExactly(
                        "t,offered,done,p50,p99,instances,hits,cost,simplified,waiting",
                        "1.25,31.0,32.0,33,34,35 36,0.37,3.8E-5,3.9E-5,40");
    }

    @Test
    void shouldStandUnderTheirNamesInTheTable() {
        assertThat(Report.table(result()).replaceAll(" +", " "))
                .contains(
                        "operations mean p50 p99 p99.9 max\n",
                        "stat 101 12 µs 12 µs 14 µs 15 µs 16 µs\n",
                        "all 202 22 µs 22 µs 24 µs 25 µs 26 µs\n",
                        "51 operations in 53.0 s: 54 ops/s done, 55 ops/s offered; 52 failed\n",
                        "instances: 56 at peak, 57 at the end; cache hit rate 58.0 %; 59.0 % of requests by HTTP\n",
                        "cost: $60.500000 pay-per-use ($63.500000 per million operations), $61.500000 while provisioned, "
                                + "$62.500000 serverful\n",
                        "what failed");
    }

    @Test
    void shouldStandUnderTheirNamesOnThePage() throws Exception {
        String html = Files.readString(Report.write(result(), folder));
        assertThat(html)
                .containsPattern("22 µs</div><div class=\"label\">Median latency<")
                .containsPattern("24 µs</div><div class=\"label\">99th percentile<")
                .containsPattern("54 ops/s</div><div class=\"label\">Done<")
                .containsPattern("55 ops/s</div><div class=\"label\">Offered<")
                .containsPattern("60.50000</div><div class=\"label\">Pay-per-use<")
                .containsPattern("62.50000</div><div class=\"label\">Serverful fleet<")
                .contains(
                        "<td>101</td><td>12 µs</td><td>12 µs</td><td>13 µs</td><td>14 µs</td><td>15 µs</td><td>16 µs</td>")
                .contains("\"stat\":[[1.0,11],[10.0,19]]");
    }

    @Test
    void shouldBeCountedForEachSecondAndAltogether() {
        Tally tally = new Tally(Sample.none(0), nanos -> false);
        for (int micros = 1; micros <= 1_000; micros++) {
            tally.record(OperationKind.STAT, 0, micros * 1_000L);
        }
        SeriesPoint first = tally.close(1, 1_200, 200, new Sample(1_000, List.of(3), 0, 0.5, 0.75, 0, 9, 1));
        SeriesPoint second = tally.close(2, 1_200, 200, Sample.none(2_000));

        assertThat(first).isEqualTo(new SeriesPoint(1, 1_200, 1_000, 500, 990, List.of(3), 0.9, 0.5, 0.75, 200));
        assertThat(second.opsPerSecond()).isZero();
        assertThat(second.p99Micros()).isZero();
        assertThat(tally.p99()).isEqualTo(990);
        assertThat(tally.peakInstances()).isEqualTo(3);
        Latency all = tally.latencies().get(ReplayResult.ALL);
        assertThat(List.of(all.count(), all.p50(), all.p90(), all.p99(), all.p999(), all.max()))
                .containsExactly(1_000L, 500L, 900L, 990L, 999L, 1_000L);
        assertThat(all.mean()).isBetween(500.0, 501.0);
        assertThat(all.curve())
                .contains(new Latency.Point(0, 1))
                .last()
                .extracting(Latency.Point::micros)
                .isEqualTo(999L);
    }
}
