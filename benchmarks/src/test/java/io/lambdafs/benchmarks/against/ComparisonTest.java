package io.lambdafs.benchmarks.against;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonTest {
    private static final double BOUND = 0.95;

    @ParameterizedTest
    @CsvSource({
        "0.99, 0.90, 1.02, 1.01, 0.98, 1.04, holds",
        "0.86, 0.81, 0.97, 1.00, 0.98, 1.04, 'SLOWER, uncertain'",
        "0.86, 0.81, 0.94, 1.00, 0.98, 1.04, SLOWER",
        "1.00, 0.95, 1.02, 1.17, 1.04, 1.26, 'SLOWER, uncertain'",
        "1.00, 0.95, 1.02, 1.17, 1.06, 1.26, SLOWER"
    })
    void shouldJudgeByTheMedianAndSayWhereTheIntervalLeavesItOpen(
            double median, double low, double high, double cpu, double cpuLow, double cpuHigh, String verdict) {
        Comparison comparison = new Comparison(
                "stat", 1, 1, new PairedRatios(median, low, high), new PairedRatios(cpu, cpuLow, cpuHigh));

        assertThat(comparison.verdict(BOUND)).isEqualTo(verdict);
        assertThat(comparison.holds(BOUND)).isEqualTo(verdict.equals("holds"));
    }
}
