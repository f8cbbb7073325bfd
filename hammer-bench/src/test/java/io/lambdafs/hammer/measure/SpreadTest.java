package io.lambdafs.hammer.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {
    @Test
    void shouldKnowTheMiddleAndTheEnds() {
        Spread odd = Spread.of(List.of(3.0, 1.0, 8.0));
        assertThat(odd.median()).isEqualTo(3);
        assertThat(odd.min()).isEqualTo(1);
        assertThat(odd.max()).isEqualTo(8);
        assertThat(Spread.of(List.of(1.0, 2.0, 4.0, 8.0)).median()).isEqualTo(3);
        assertThat(Spread.of(List.of(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0))
                        .p90())
                .isEqualTo(9);
        assertThat(Spread.of(List.of(7.0)).p90()).isEqualTo(7);
    }

    @Test
    void shouldKnowStudentsInterval() {
        // Mean 12, deviation √2.5, t(4; 97.5 %) = 2.776.
        Spread spread = Spread.of(List.of(10.0, 11.0, 12.0, 13.0, 14.0));
        assertThat(spread.mean()).isEqualTo(12);
        assertThat(spread.low()).isCloseTo(12 - 1.963, within(0.001));
        assertThat(spread.high()).isCloseTo(12 + 1.963, within(0.001));
    }

    @Test
    void shouldClaimNoIntervalFromOneValue() {
        Spread spread = Spread.of(List.of(7.0));
        assertThat(spread.low()).isEqualTo(7);
        assertThat(spread.high()).isEqualTo(7);
    }

    @Test
    void shouldRefuseNothing() {
        assertThatThrownBy(() -> Spread.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
