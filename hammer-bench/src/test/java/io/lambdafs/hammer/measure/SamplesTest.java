package io.lambdafs.hammer.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SamplesTest {
    private static Samples of(double... values) {
        Samples samples = new Samples();
        for (double each : values) {
            samples.add(each);
        }
        return samples;
    }

    @Test
    void shouldBeComparedRoundByRound() {
        Spread ratios = of(6, 2, 20).relativeTo(of(2, 4, 2)).spread();
        assertThat(ratios.min()).isEqualTo(0.5);
        assertThat(ratios.median()).isEqualTo(3);
        assertThat(ratios.max()).isEqualTo(10);
    }
}
