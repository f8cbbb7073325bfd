package io.lambdafs.hammer.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lambdafs.hammer.plan.Zipf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ScheduleTest {
    private static final double BASE = 200;

    private static Schedule schedule(int seconds, long seed) {
        return new Schedule(Workload.spotify(Duration.ofSeconds(seconds), BASE, seed));
    }

    private static List<List<Object>> arrivals(Schedule schedule) {
        List<List<Object>> all = new ArrayList<>();
        for (Schedule.Cursor cursor = schedule.cursor(); cursor.present(); cursor.advance()) {
            all.add(List.of(cursor.nanos(), cursor.kind(), cursor.draw()));
        }
        return all;
    }

    @Test
    void shouldGiveSameArrivalsForSameSeed() {
        List<List<Object>> first = arrivals(schedule(60, 1));
        assertThat(arrivals(schedule(60, 1))).isEqualTo(first);
        assertThat(arrivals(schedule(60, 2))).isNotEqualTo(first);
    }

    @Test
    void shouldDrawLevelsFromParetoDistributionCappedAtBurst() {
        List<Double> drawn = new ArrayList<>();
        for (int seed = 0; seed < 400; seed++) {
            for (Schedule.Level level : schedule(300, seed).levels()) {
                drawn.add(level.opsPerSecond() / BASE);
            }
        }
        assertThat(drawn).allSatisfy(factor -> assertThat(factor).isBetween(1.0, 7.0));
        // P(X > 2 x) = 1/4 for shape 2; a burst is one level more in twenty or so.
        double aboveTwice = drawn.stream().filter(factor -> factor > 2).count() / (double) drawn.size();
        assertThat(aboveTwice).isBetween(0.24, 0.36);
    }

    @Test
    void shouldBurstAtTwoThirdsForOneInterval() {
        for (int seconds : new int[] {30, 60, 300}) {
            double interval = Math.min(15, seconds / 4.0);
            double from = seconds * 2 / 3.0;
            double burst = schedule(seconds, 5).levels().stream()
                    .filter(level -> level.opsPerSecond() == 7 * BASE)
                    .filter(level -> level.from() >= from - 1e-6 && level.to() <= from + interval + 1e-6)
                    .mapToDouble(level -> level.to() - level.from())
                    .sum();
            assertThat(burst).isCloseTo(Math.min(interval, seconds - from), within(1e-6));
        }
    }

    @Test
    void shouldCoverWholeRunWithoutGap() {
        double at = 0;
        for (Schedule.Level level : schedule(47, 3).levels()) {
            assertThat(level.from()).isCloseTo(at, within(1e-6));
            at = level.to();
        }
        assertThat(at).isCloseTo(47, within(1e-6));
    }

    @Test
    void shouldStepUpAndDownByThirds() {
        assertThat(Schedule.step(90, BASE, 7))
                .containsExactly(
                        new Schedule.Level(0, 30, BASE),
                        new Schedule.Level(30, 60, 7 * BASE),
                        new Schedule.Level(60, 90, BASE));
    }

    @Test
    void shouldOfferWhatLevelsSayInOrder() {
        Schedule schedule = schedule(120, 9);
        double meant = schedule.levels().stream()
                .mapToDouble(level -> (level.to() - level.from()) * level.opsPerSecond())
                .sum();
        List<List<Object>> arrivals = arrivals(schedule);
        assertThat((double) arrivals.size()).isCloseTo(meant, within(5 * Math.sqrt(meant)));
        assertThat(arrivals).extracting(a -> (Long) a.get(0)).isSorted();
    }

    @ParameterizedTest
    @EnumSource
    void shouldArriveAsFarApartAsAskedAtTheSameThroughput(Arrivals arrivals) {
        Workload spotify = Workload.spotify(Duration.ofSeconds(60), BASE, 4);
        List<Long> times = arrivals(new Schedule(
                        new Workload(spotify.mix(), spotify.shape(), arrivals, spotify.length(), BASE, 1, 1.3, 4)))
                .stream()
                .map(each -> (Long) each.get(0))
                .toList();
        double mean = 1e9 / BASE;
        List<Double> distances = new ArrayList<>();
        for (int i = 1; i < times.size(); i++) {
            distances.add((times.get(i) - times.get(i - 1)) / mean);
        }
        assertThat((double) times.size()).isCloseTo(60 * BASE, within(5 * Math.sqrt(60 * BASE)));
        double variance =
                distances.stream().mapToDouble(d -> (d - 1) * (d - 1)).average().orElseThrow();
        assertThat(variance)
                .isCloseTo(
                        switch (arrivals) {
                            case POISSON -> 1;
                            case UNIFORM -> 1.0 / 3;
                            case CONSTANT -> 0;
                        },
                        within(0.06));
    }

    @Test
    void shouldKnowItsBursts() {
        Schedule schedule =
                new Schedule(Workload.spotify(Duration.ofSeconds(90), BASE, 1).withShape(LoadShape.STEP));
        assertThat(schedule.isBurst(29_999_999_999L)).isFalse();
        assertThat(schedule.isBurst(30_000_000_000L)).isTrue();
        assertThat(schedule.isBurst(60_000_000_000L)).isFalse();
        Schedule spike =
                new Schedule(Workload.spotify(Duration.ofSeconds(48), BASE, 1).withShape(LoadShape.SPIKE));
        assertThat(spike.isBurst(19_999_999_999L)).isFalse();
        assertThat(spike.isBurst(20_000_000_001L)).isTrue();
        assertThat(spike.isBurst(28_000_000_001L)).isFalse();
        Schedule flat =
                new Schedule(Workload.spotify(Duration.ofSeconds(9), BASE, 1).withBurstFactor(1));
        assertThat(flat.isBurst(5_000_000_000L)).isFalse();
    }

    @Test
    void shouldSayWhatWouldComeWithoutSendingIt() {
        assertThat(Workload.spotify(Duration.ofSeconds(60), BASE, 1).plan())
                .contains(
                        "Spotify mix",
                        "Pareto",
                        "poisson arrivals",
                        "seed 1",
                        "45.0–55.0 s",
                        "1,400 ops/s",
                        "operations: create ")
                .isEqualTo(Workload.spotify(Duration.ofSeconds(60), BASE, 1).plan());
    }

    @Test
    void shouldDrawMixOfTable2() {
        SplittableRandom random = new SplittableRandom(1);
        Map<OperationKind, Integer> counts = new EnumMap<>(OperationKind.class);
        int draws = 1_000_000;
        for (int i = 0; i < draws; i++) {
            counts.merge(OperationMix.SPOTIFY.draw(random), 1, Integer::sum);
        }
        for (OperationKind kind : OperationKind.values()) {
            assertThat(100.0 * counts.get(kind) / draws).as(kind.label()).isCloseTo(kind.percent(), within(0.2));
        }
        assertThat(counts.get(OperationKind.MKDIRS)).isBetween(100, 300);
    }

    @Test
    void shouldMakeFewDirectoriesHot() {
        SplittableRandom random = new SplittableRandom(1);
        Zipf zipf = new Zipf(5_000, 1.1);
        int[] counts = new int[5_000];
        for (int i = 0; i < 100_000; i++) {
            counts[zipf.draw(random)]++;
        }
        assertThat(counts[0]).isBetween(14_000, 19_000);
        assertThat(counts[0] / (double) counts[9]).isCloseTo(Math.pow(10, 1.1), within(3.0));
    }
}
