package io.lambdafs.hammer.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.hammer.result.SeriesPoint;
import io.lambdafs.hammer.workload.LoadShape;
import io.lambdafs.hammer.workload.Workload;
import java.time.Duration;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AbsorptionTest {
    /** 48 s with a burst from the 20th to the 28th second. */
    private static final Workload SPIKE =
            Workload.spotify(Duration.ofSeconds(48), 100, 1).withShape(LoadShape.SPIKE);

    private static Absorption of(IntToLongFunction p99Millis) {
        SeriesPoint[] series = IntStream.rangeClosed(1, 48)
                .mapToObj(second -> new SeriesPoint(
                        second, 100, 100, 10, 1_000 * p99Millis.applyAsLong(second), List.of(1), 0.5, 0, 0, 0))
                .toArray(SeriesPoint[]::new);
        return Absorption.of(OutcomeTest.result(0, series), SPIKE);
    }

    @Test
    void shouldCountFromTheBurstsBeginningAndLeaveItsFirstSecondsAside() {
        Absorption absorbed = of(second -> second > 20 && second <= 23 ? 900 : 4);
        assertThat(absorbed.after()).hasValue(3);
        assertThat(absorbed.worstMillis()).isEqualTo(4);
        assertThat(absorbed.line()).contains("absorbed within 3 s", "4.0 ms");
    }

    @Test
    void shouldNotTakeASingleGoodSecondForTheEnd() {
        assertThat(of(second -> second > 20 && second <= 26 && second != 23 ? 900 : 4)
                        .after())
                .hasValue(6);
    }

    @Test
    void shouldSayThatAQueueStayed() {
        Absorption queued = of(second -> second > 20 ? 5_000 : 4);
        assertThat(queued.after()).isEmpty();
        assertThat(queued.worstMillis()).isEqualTo(5_000);
        assertThat(queued.line()).contains("not absorbed");
    }

    @Test
    void shouldOfferABaseThatOneInstanceCarriesAndABurstThatItDoesNot() {
        Workload load = new Capacity(8_000, 0).demonstration(30, 7);
        assertThat(load.baseOps()).isEqualTo(2_000);
        assertThat(load.baseOps() * load.burstFactor()).isEqualTo(14_000);
        assertThat(load.isBurst(9.5)).isFalse();
        assertThat(load.isBurst(10.5)).isTrue();
        assertThat(load.isBurst(19.5)).isTrue();
        assertThat(load.isBurst(20.5)).isFalse();
        // However slow the machine: a smaller load shows nothing.
        assertThat(new Capacity(0, 0).demonstration(30, 7).baseOps()).isEqualTo(1_500);
        assertThat(new Capacity(1_500, 0.1).line()).doesNotContain("busy");
        assertThat(new Capacity(1_500, 0.6).line()).contains("it is busy", "60 %");
    }
}
