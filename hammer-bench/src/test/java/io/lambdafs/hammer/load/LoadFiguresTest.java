package io.lambdafs.hammer.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cluster.settings.DistanceSettings;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.result.SampleResult;
import io.lambdafs.hammer.result.SeriesPoint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Each figure stands under its name. */
final class LoadFiguresTest {
    private static final Path LOGS = Path.of("out/logs");

    @Test
    void shouldSetLoadsWithKillsBesideThoseWithout() {
        FaultsResult faults = new FaultsResult(
                30, 9, OutcomeTest.result(0), SampleResult.with(12, List.of("stat /a: late", "mv /b: lost")));
        assertThat(faults.text()).isEqualTo("""
            one instance killed every 30 s, 9 in all
                         operations   failed      ops/s        p50        p99      p99.9   deepest second
            fault-free        1,000        0        100      0.0ms      0.0ms      0.0ms  0 % of offered
            with kills        9,000       12        299      2.2ms      4.4ms      5.5ms  98 % of offered
            throughput with kills against without: 2.99\
            """);
        assertThat(faults.failures(LOGS))
                .containsExactly(
                        "12 operations failed; the cluster's logs are in out/logs",
                        "with kills: stat /a: late",
                        "with kills: mv /b: lost");
        assertThat(new FaultsResult(30, 9, SampleResult.with(1, List.of("x")), SampleResult.whole()).failures(LOGS))
                .containsExactly("1 operations failed; the cluster's logs are in out/logs", "without kills: x");
        assertThat(new FaultsResult(30, 9, SampleResult.whole(), SampleResult.whole()).failures(LOGS))
                .isEmpty();
        assertThat(faults.json().path("ratio").asDouble()).isEqualTo(2.988);
        assertThat(faults.json().path("everySeconds").asInt()).isEqualTo(30);
        assertThat(faults.json().path("kills").asInt()).isEqualTo(9);
    }

    /** A second with figures of its own. */
    private static StepResponse response(int limit, long failed) {
        List<SeriesPoint> series = new ArrayList<>();
        for (int second = 1; second <= 30; second++) {
            int phase = (second - 1) / 10;
            series.add(new SeriesPoint(
                    second,
                    100,
                    100 * (phase + 1),
                    10,
                    (phase == 0 ? 4_000 : phase == 1 ? 7_000 : 6_000) + second % 10,
                    List.of(phase + 1, 3),
                    0.5,
                    0,
                    0,
                    0));
        }
        ReplayResult sample = SampleResult.with(failed, failed == 0 ? List.of() : List.of("stat /a: late"));
        ReplayResult result = new ReplayResult(
                sample.operations(),
                failed,
                sample.seconds(),
                sample.opsPerSecond(),
                sample.offeredOpsPerSecond(),
                7,
                2,
                0.9,
                0.01,
                sample.latencyMicros(),
                sample.phases(),
                sample.listings(),
                sample.cost(),
                sample.fleet(),
                11,
                series,
                sample.failures(),
                sample.settings(),
                "");
        return new StepResponse(limit, 30, result, new Turnover());
    }

    @Test
    void shouldTellHowEachLimitTookTheStep() {
        AutoscaleResult result =
                new AutoscaleResult(1_000, 7, 30, DistanceSettings.NONE, List.of(response(5, 0), response(1, 2)));
        assertThat(result.text()).isEqualTo("""
            1,000 ops/s, then 7,000, then 1,000, for 10 s each
            instances   p99 near before   queue gone      slowest   done/s: before, step, after   settled p99, ms       instances   come or gone   failed
            at most 5              0.0 s        0.0 s         7 ms        100    200    300           4.0    7.0    6.0       4  5  6        0  0  0        0
            at most 1              0.0 s        0.0 s         7 ms        100    200    300           4.0    7.0    6.0       4  5  6        0  0  0        2
            distance emulated: none: every link is as short as this machine makes it\
            """);
        assertThat(result.failures(LOGS))
                .containsExactly("2 operations failed; the cluster's logs are in out/logs", "stat /a: late");
        assertThat(result.json().path("failed").asInt()).isEqualTo(2);
        assertThat(result.json().at("/responses/0/step"))
                .hasToString("{\"opsPerSecond\":200,\"settledP99Millis\":7.007,\"worstP99Millis\":7.009,"
                        + "\"peakInstances\":5,\"changesWhileConstant\":0}");
        assertThat(result.json().at("/responses/0/worstMillis").asDouble()).isEqualTo(6.6);
        assertThat(result.json().at("/responses/0/instances/0"))
                .hasToString("{\"seconds\":1.0,\"byDeployment\":[1,3]}");
        assertThat(result.json().at("/responses/1/absorbedAfterSeconds").asDouble())
                .isZero();
        assertThat(new AutoscaleResult(1_000, 7, 30, DistanceSettings.NONE, List.of(response(5, 0))).failures(LOGS))
                .isEmpty();
    }

    @Test
    void shouldTellScriptsWhetherTheBurstWasAbsorbed() {
        assertThat(new Absorption(OptionalDouble.of(2.3), 4.25).json())
                .hasToString("{\"afterSeconds\":3.0,\"worstOtherP99Millis\":4.25}");
        assertThat(new Absorption(OptionalDouble.empty(), 4.25).json()).hasToString("{\"worstOtherP99Millis\":4.25}");
        assertThat(new Absorption(OptionalDouble.of(2.3), 4.25).line())
                .isEqualTo("the burst was absorbed within 3 s (p99 at most 100 ms from then on);"
                        + " p99 of the worst other second 4.3 ms");
    }

    @Test
    void shouldTellScriptsOfTheCapacity() {
        assertThat(new Capacity(1_500.4, 0.12345).json())
                .hasToString("{\"oneInstanceOpsPerSecond\":1500,\"othersShare\":0.123}");
        assertThat(new Capacity(1_500.4, 0.12345).line())
                .isEqualTo("this machine's capacity: 1,500 ops/s with one instance of each deployment, within its CPU"
                        + " share");
    }
}
