package io.lambdafs.benchmarks.micro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lambdafs.benchmarks.micro.driver.MicroOp;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RatioTest {
    private static LaneKey lane(String target, String api, int concurrency) {
        return new LaneKey(target, api, MicroOp.STAT, concurrency);
    }

    @Test
    void shouldDivideTurnByTurn() {
        Ratio ratio = Ratio.of(
                lane("a", LaneKey.HADOOP, 8),
                Rounds.of(100, 300, 900),
                lane("b", LaneKey.HADOOP, 8),
                Rounds.of(100, 100, 300));
        assertThat(ratio.throughput().median()).isEqualTo(3);
        assertThat(ratio.throughput().min()).isEqualTo(1);
        assertThat(ratio.throughput().max()).isEqualTo(3);
        assertThat(ratio.cpu()).isCloseTo(1, within(1e-9));
    }

    @Test
    void shouldCompareAtEquallyManyThreadsAndAWindowWithTheOthersBest() {
        Map<LaneKey, List<Round>> lanes = new LinkedHashMap<>();
        lanes.put(lane("a", LaneKey.HADOOP, 1), Rounds.of(10));
        lanes.put(lane("b", LaneKey.HADOOP, 1), Rounds.of(20));
        lanes.put(lane("a", LaneKey.HADOOP, 64), Rounds.of(90));
        lanes.put(lane("b", LaneKey.HADOOP, 64), Rounds.of(30));
        lanes.put(lane("a", LaneKey.NATIVE, 256), Rounds.of(300));
        List<Ratio> ratios = Ratio.all(lanes, List.of("a", "b"));
        assertThat(ratios)
                .extracting(
                        Ratio::numerator,
                        Ratio::denominator,
                        each -> each.throughput().median())
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(
                                lane("a", LaneKey.HADOOP, 1), lane("b", LaneKey.HADOOP, 1), 0.5),
                        org.assertj.core.groups.Tuple.tuple(
                                lane("a", LaneKey.HADOOP, 64), lane("b", LaneKey.HADOOP, 64), 3.0),
                        org.assertj.core.groups.Tuple.tuple(
                                lane("a", LaneKey.NATIVE, 256), lane("b", LaneKey.HADOOP, 64), 10.0));
    }

    @Test
    void shouldHaveNothingToDivideByWhereThereIsOnlyOne() {
        assertThat(Ratio.all(Map.of(lane("a", LaneKey.HADOOP, 1), Rounds.of(10)), List.of("a")))
                .isEmpty();
    }
}
