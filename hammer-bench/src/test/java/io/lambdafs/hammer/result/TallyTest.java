package io.lambdafs.hammer.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.hammer.workload.OperationKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class TallyTest {
    private static final long BURST = 1_000;

    private static Tally tally() {
        return new Tally(Sample.none(0), nanos -> nanos == BURST);
    }

    @Test
    void shouldCountWhatIsNotDoneForItsLatencyAlone() {
        Tally tally = tally();
        tally.record(OperationKind.STAT, 0, 1_000_000, 100);
        tally.close(1, 5_100, 5_000, Sample.none(0));
        tally.record(OperationKind.STAT, 0, 1_000_000, 200);
        tally.record(OperationKind.STAT, 0, 9_000_000, 4_800);
        SeriesPoint last = tally.close(2, 5_100, 4_800, Sample.none(0));
        assertThat(last.opsPerSecond()).isEqualTo(200);
        assertThat(last.p50Micros()).as("they have waited").isGreaterThanOrEqualTo(9_000);

        tally.record(OperationKind.STAT, 0, 1_000_000, 10);
        assertThat(tally.close(2.25, 5_110, 4_800, Sample.none(0)).opsPerSecond())
                .as("joined with the interval before")
                .isEqualTo(168);
        tally.record(OperationKind.STAT, 0, 1_000_000, 30);
        assertThat(tally.close(3.25, 5_140, 4_800, Sample.none(0)).opsPerSecond())
                .isEqualTo(30);
    }

    @Test
    void shouldTellTheReadsOfTheBurstApart() {
        Tally tally = tally();
        tally.keepSlices();
        for (OperationKind kind : OperationKind.values()) {
            long micros = kind.isRead() ? 200 : 5_000;
            tally.record(kind, BURST, BURST + micros * 1_000, 10);
            tally.record(kind, 0, 900_000_000, 10);
        }
        Tally other = tally();
        other.add(tally.cut());

        for (Tally each : new Tally[] {tally, other}) {
            assertThat(each.phases().get(ReplayResult.BURST_READS).count()).isEqualTo(30);
            assertThat(each.phases().get(ReplayResult.BURST_READS).max()).isEqualTo(200);
            assertThat(each.phases().get(ReplayResult.BURST).count()).isEqualTo(70);
            assertThat(each.phases().get(ReplayResult.CALM).count()).isEqualTo(70);
        }
    }

    @Test
    void shouldBeCountedForEachSecondAndAltogether() {
        Tally tally = new Tally(Sample.none(0), nanos -> false);
        for (int micros = 1; micros <= 1_000; micros++) {
            tally.record(OperationKind.STAT, 0, micros * 1_000L);
        }
        SeriesPoint first = tally.close(1, 1_200, 200, new Sample(1_000, List.of(3), 0, 0.5, 0.75, 0, 0, 9, 1));
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

    @Test
    void shouldJoinAnIntervalTooShortForARateWithTheOneBefore() {
        Tally tally = tally();
        tally.record(OperationKind.STAT, 0, 1_000_000);
        tally.close(1, 10, 9, new Sample(0, List.of(2), 0, 1, 2, 0, 0, 10, 10));
        tally.record(OperationKind.STAT, 0, 3_000_000);
        SeriesPoint joined = tally.close(1.25, 15, 13, new Sample(0, List.of(5, 1), 0, 3, 4, 10, 5, 40, 20));
        assertThat(tally.series()).containsExactly(joined);
        assertThat(joined).isEqualTo(new SeriesPoint(1.25, 12, 1.6, 1_000, 3_001, List.of(5, 1), 0.75, 3, 4, 13));
        tally.record(OperationKind.STAT, 0, 2_000_000);
        SeriesPoint next = tally.close(1.75, 20, 17, Sample.none(0));
        assertThat(tally.series()).containsExactly(joined, next);
        assertThat(next).isEqualTo(new SeriesPoint(1.75, 10, 2, 2_000, 2_000, List.of(), 0.75, 0, 0, 17));
        assertThat(tally.peakInstances()).isEqualTo(6);
    }

    @Test
    void shouldCountHitsAndRequestsFromItsBeginning() {
        Tally tally = new Tally(new Sample(0, List.of(1), 0, 5, 6, 1_000, 900, 100, 50), nanos -> false);
        assertThat(tally.overallHitRate()).isZero();
        assertThat(tally.overallHttpShare()).isZero();
        assertThat(tally.p99()).isZero();
        SeriesPoint point = tally.close(1, 0, 0, new Sample(0, List.of(1), 0, 7, 9, 1_040, 901, 130, 60));
        assertThat(point.payPerUseUsd()).isEqualTo(2);
        assertThat(point.simplifiedUsd()).isEqualTo(3);
        tally.close(2, 0, 0, new Sample(0, List.of(1), 0, 7, 9, 1_100, 905, 131, 69));
        assertThat(tally.overallHitRate()).isEqualTo(0.62);
        assertThat(tally.overallHttpShare()).isEqualTo(0.05);
        assertThat(tally.series().get(1).hitRate()).isEqualTo(0.1);
        assertThat(tally.phases()).isEmpty();
    }

    @Test
    void shouldTellListsWhileInstancesJoinFromTheOthers() {
        Tally tally = new Tally(sample(1, 100, 50), nanos -> false);
        tally.record(OperationKind.LS, 0, 500_000);
        tally.close(1, 1, 0, sample(1, 110, 52));
        for (int second = 2; second <= 4; second++) {
            tally.record(OperationKind.LS, 0, 2_000_000);
            tally.close(second, second, 0, sample(2, 120, 54));
        }
        tally.record(OperationKind.LS, 0, 1_000_000);
        tally.record(OperationKind.STAT, 0, 9_000_000);
        tally.close(5, 6, 0, sample(2, 200, 70));
        Listings told = tally.listings();
        assertThat(told.whileJoining().count())
                .as("the arrival, and two seconds")
                .isEqualTo(3);
        assertThat(told.whileJoining().p99()).isEqualTo(2_000);
        assertThat(told.calm().count()).isEqualTo(2);
        assertThat(told.calm().p99()).isEqualTo(1_000);
        assertThat(told.joiningP99OfCalm()).isEqualTo(2);
        assertThat(told.unreadShare()).isEqualTo(0.8);
        assertThat(told.line())
                .isEqualTo("listings: 80.0 % of 100 pages without reading the directory; p99 of ls 2.00 ms while"
                        + " instances joined, 1.00 ms otherwise");
    }

    private static Sample sample(int instances, long pages, long read) {
        return new Sample(0, List.of(instances), 0, 0, 0, 0, 0, 0, 0, pages, read);
    }

    @Test
    void shouldTakeAnAnswerBeforeItsTimeForOneAtOnceAndTheLongestForAnHour() {
        Tally tally = tally();
        tally.record(OperationKind.READ, 5_000, 4_000);
        tally.record(OperationKind.READ, 0, Long.MAX_VALUE / 2);
        Latency all = tally.latencies().get(ReplayResult.ALL);
        assertThat(all.p50()).isZero();
        assertThat(all.max()).isBetween(3_600_000_000L, 3_602_000_000L);
        assertThat(tally.latencies().get("read")).isEqualTo(all);
        assertThat(tally.latencies().get("mv").count()).isZero();
    }

    @Test
    void shouldCutOffWhatWasCountedSinceTheLastCut() {
        Tally tally = tally();
        assertThat(tally.cut().calm()).isEmpty();
        tally.record(OperationKind.READ, 0, 1_000);
        assertThat(tally.cut().calm()).isEmpty();
        tally.keepSlices();
        tally.record(OperationKind.MV, 0, 1_000, 3);
        assertThat(tally.cut().calm()).containsOnlyKeys(OperationKind.MV);
        assertThat(tally.cut().calm()).isEmpty();
        Tally other = tally();
        Slice slice = new Slice();
        slice.record(OperationKind.READ, true, 100, 2);
        slice.record(OperationKind.CREATE, false, 300, 4);
        other.add(slice);
        assertThat(other.latencies().get("read").count()).isEqualTo(2);
        assertThat(other.latencies().get("create").count()).isEqualTo(4);
        assertThat(other.p99()).isEqualTo(300);
        assertThat(other.close(2, 6, 0, Sample.none(0)).opsPerSecond()).isEqualTo(3);
    }
}
