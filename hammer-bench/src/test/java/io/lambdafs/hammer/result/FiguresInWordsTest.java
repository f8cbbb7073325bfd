package io.lambdafs.hammer.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.lambdafs.hammer.replay.Progress;
import io.lambdafs.hammer.workload.Arrivals;
import io.lambdafs.hammer.workload.LoadShape;
import io.lambdafs.hammer.workload.OperationKind;
import io.lambdafs.hammer.workload.OperationMix;
import io.lambdafs.hammer.workload.Schedule;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.model.FsException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the words for a running load, and for a workload before it. */
final class FiguresInWordsTest {
    private static Workload workload(LoadShape shape, double factor) {
        return new Workload(
                OperationMix.SPOTIFY, shape, Arrivals.CONSTANT, Duration.ofSeconds(90), 1_000, factor, 1.3, 5);
    }

    @Test
    void shouldShowProgressInALine() {
        SeriesPoint point = new SeriesPoint(12.4, 900, 800, 1, 2, List.of(3, 4), 0.987, 0.0123456, 0, 77);
        Progress progress = Progress.at(point, 60, 5_000, 3);
        assertThat(progress.line())
                .isEqualTo(" 12/60 s      800 ops/s of     900  p99 5.00 ms  instances [3 4]  hits 98.7 %  $0.01235"
                        + "  waiting 77  failed 3");
        SeriesPoint nowhere = new SeriesPoint(1, 2, 3, 4, 5, List.of(), 0, 0, 0, 0);
        assertThat(Progress.at(nowhere, 60, 999, 0).line()).contains("p99 999 µs  instances -  hits");
    }

    @Test
    void shouldSayWhenHowMuchComes() {
        assertThat(workload(LoadShape.STEP, 7).load())
                .isEqualTo("90 s: 1,000 ops/s, 7 × as much in the second third, and as before; constant arrivals");
        assertThat(workload(LoadShape.SPIKE, 7).load())
                .isEqualTo("90 s: 1,000 ops/s, and in the middle a burst of 7,000 ops/s for 15 s; constant arrivals");
        assertThat(workload(LoadShape.BURSTS, 1).load()).isEqualTo("90 s at 1,000 ops/s; constant arrivals");
        assertThat(workload(LoadShape.BURSTS, 7)
                        .withWarmUp(Duration.ofMillis(2_500))
                        .load())
                .isEqualTo(
                        "90 s; every 15 s a throughput from Pareto(α = 2, scale = 1,000 ops/s), at most 7 × the scale;"
                                + " from two thirds on a burst of 7 × for 15 s; constant arrivals;"
                                + " before it 2.5 s of warm-up, uncounted");
    }

    @Test
    void shouldPlanWhatWouldCome() {
        Map<OperationKind, Double> shares = new EnumMap<>(OperationKind.class);
        shares.put(OperationKind.STAT, 1.0);
        Workload stats = new Workload(
                OperationMix.of("stats", shares),
                LoadShape.STEP,
                Arrivals.CONSTANT,
                Duration.ofSeconds(30),
                10,
                5,
                1,
                9);
        assertThat(stats.plan()).isEqualTo("""
                stats: stat 1.0
                30 s: 10 ops/s, 5 × as much in the second third, and as before; constant arrivals; seed 9
                     0.0–10.0 s         10 ops/s
                    10.0–20.0 s         50 ops/s
                    20.0–30.0 s         10 ops/s
                700 operations: stat 700""");
        assertThat(new Schedule(stats).count()).isEqualTo(700);
        assertThat(workload(LoadShape.BURSTS, 1).plan()).contains("operations: create ", ", mkdirs ", ", delete ");
    }

    @Test
    void shouldShareALoadEqually() {
        Workload share = workload(LoadShape.STEP, 7).share(4, 3);
        assertThat(share.baseOps()).isEqualTo(250);
        assertThat(share.part()).isEqualTo(3);
        assertThat(share.isBurst(45)).isTrue();
        assertThat(share.isBurst(75)).isFalse();
        assertThat(share.isBurst(90.5)).isFalse();
        assertThat(workload(LoadShape.STEP, 7).withBaseOps(3).baseOps()).isEqualTo(3);
        assertThat(workload(LoadShape.BURSTS, 1).isBurst(45))
                .as("the same all the time")
                .isFalse();
    }

    @Test
    void shouldPutASpikeInTheMiddle() {
        assertThat(new Schedule(workload(LoadShape.SPIKE, 7)).levels())
                .containsExactly(
                        new Schedule.Level(0, 37.5, 1_000),
                        new Schedule.Level(37.5, 52.5, 7_000),
                        new Schedule.Level(52.5, 90, 1_000));
    }

    @Test
    void shouldDrawKindsInTheirProportions() {
        OperationMix mix = OperationMix.of("mine", Map.of(OperationKind.MKDIRS, 1.0, OperationKind.MV, 3.0));
        assertThat(mix.at(0)).isEqualTo(OperationKind.MKDIRS);
        assertThat(mix.at(0.2499)).isEqualTo(OperationKind.MKDIRS);
        assertThat(mix.at(0.25)).isEqualTo(OperationKind.MV);
        assertThat(mix.at(Math.nextDown(1.0))).isEqualTo(OperationKind.MV);
        assertThat(mix.at(1)).as("what rounding leaves over").isEqualTo(OperationKind.MV);
        assertThat(mix.shares()).containsEntry(OperationKind.MV, 3.0).containsEntry(OperationKind.MKDIRS, 1.0);
        assertThat(mix.describe()).isEqualTo("mine: mkdirs 1.0, mv 3.0");
        assertThat(OperationMix.SPOTIFY.describe())
                .startsWith("Spotify mix: create 2.7,")
                .endsWith(" (percent)");
        assertThat(OperationMix.SPOTIFY.shares().get(OperationKind.READ)).isEqualTo(69.22);
        Map<OperationKind, Double> nothing = Map.of(OperationKind.MV, 0.0);
        assertThatThrownBy(() -> OperationMix.of("none", nothing))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("at least one share");
        Map<OperationKind, Double> negative = Map.of(OperationKind.MV, -1.0);
        assertThatThrownBy(() -> OperationMix.of("none", negative)).hasMessageContaining("the share of mv");
    }

    @Test
    void shouldKeepTheFirstFailuresOnly() {
        FailureLog failures = new FailureLog();
        failures.add(1.5, "stat /a", "x".repeat(1_000));
        assertThat(failures.first().get(0))
                .startsWith("1.500 s: stat /a: xx")
                .endsWith("x…")
                .hasSize(601);
        for (int i = 0; i < 15; i++) {
            failures.add(i, "mv", "lost");
        }
        failures.addAll(30, List.of("a", "b", "c", "d", "e"));
        assertThat(failures.count()).isEqualTo(46);
        assertThat(failures.first()).hasSize(20).endsWith("a", "b", "c", "d");
        failures.add(9, "mv", "lost");
        assertThat(failures.first()).hasSize(20).endsWith("d");
    }

    @Test
    void shouldReckonWithWhatWasMeasured() {
        Tally tally = new Tally(Sample.none(0), nanos -> false);
        tally.record(OperationKind.STAT, 0, 1_000_000, 90);
        tally.close(20, 100, 10, new Sample(0, List.of(4, 1), 0, 0.9, 1.5, 80, 10, 30, 10));
        FailureLog failures = new FailureLog();
        failures.add(1, "mv", "lost");
        ServerfulFleet fleet = new ServerfulFleet(2, 3.6);
        ReplayResult result =
                new Measured(tally, failures, 100, 90, 18).result(new Measured.Basis(10, fleet, 7), Map.of("a", "b"));
        assertThat(result.operations()).isEqualTo(100);
        assertThat(result.failed()).isOne();
        assertThat(result.opsPerSecond()).isEqualTo(5);
        assertThat(result.offeredOpsPerSecond()).isEqualTo(10);
        assertThat(result.peakInstances()).isEqualTo(5);
        assertThat(result.finalInstances()).isEqualTo(5);
        assertThat(result.cacheHitRate()).isEqualTo(0.75);
        assertThat(result.httpShare()).isEqualTo(0.125);
        // Five instances of two processors at 0.001 USD a second, for the 20 s that were watched.
        assertThat(result.cost().payPerUseUsd()).isEqualTo(0.9);
        assertThat(result.cost().simplifiedUsd()).isEqualTo(1.5);
        assertThat(result.cost().serverfulUsd()).isCloseTo(0.2, within(1e-12));
        assertThat(result.cost().perMillionOpsUsd()).isEqualTo(10_000);
        assertThat(result.seed()).isEqualTo(7);
        ReplayResult unfinished = new Measured(tally, failures, 100, 90, 18).unfinished(12.5, fleet, 7, Map.of());
        assertThat(unfinished.unfinished()).isEqualTo("interrupted after 18.0 of 12.5 s");
        assertThat(unfinished.offeredOpsPerSecond()).isEqualTo(8);
        assertThat(new Measured(tally, failures, 100, 90, 9)
                        .unfinished(12.5, fleet, 7, Map.of())
                        .offeredOpsPerSecond())
                .isCloseTo(100 / 9.0, within(1e-9));
        assertThat(Cost.of(1, 2, 3, 0).perMillionOpsUsd()).isZero();
        assertThat(fleet.usd(0, 3_600)).as("one server at least").isCloseTo(7.2, within(1e-12));
        assertThat(new ServerfulFleet(0.5, 1).describe(3))
                .isEqualTo("3 instances at peak × 0.50 vCPU × 1.000 USD per vCPU-hour, for the whole run");
        assertThat(ServerfulFleet.DEFAULT.describe(0))
                .isEqualTo("1 instances at peak × 1 vCPU × 0.063 USD per vCPU-hour (r5.4xlarge: 1.008 / 16),"
                        + " for the whole run");
    }
}
