package io.lambdafs.benchmarks.against;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PairedRatiosTest {
    /** The ranks are those of tables of the sign test. */
    @ParameterizedTest
    @CsvSource({"5, 1, 5, 3", "8, 2, 7, 4.5", "15, 4, 12, 8", "20, 6, 15, 10.5", "30, 11, 20, 15.5"})
    void shouldTakeTheRanksOfTheSignTest(int pairs, double low, double high, double median) {
        List<Double> values =
                IntStream.rangeClosed(1, pairs).mapToObj(i -> (double) i).toList();
        assertThat(PairedRatios.of(values)).isEqualTo(new PairedRatios(median, low, high));
    }

    @Test
    void shouldHoldTheTrueMedianInNineOfTenSamples() {
        Random random = new Random(1);
        long held = IntStream.range(0, 2_000)
                .mapToObj(i -> PairedRatios.of(DoubleStream.generate(() -> Math.exp(random.nextGaussian()))
                        .limit(15)
                        .boxed()
                        .toList()))
                .filter(sample -> sample.low() <= 1 && sample.high() >= 1)
                .count();
        assertThat(held).isBetween(1_840L, 1_980L);
    }

    @Test
    void shouldRefuseTooFewPairs() {
        assertThatThrownBy(() -> PairedRatios.of(List.of(1.0, 1.0, 1.0, 1.0)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
