package io.lambdafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeewayTest {
    @ParameterizedTest
    @CsvSource({
        "-1, 2, 1000",
        "0, 2, 1000",
        "1.9, 2, 1000",
        "2, 2, 1000",
        "3, 2, 1500",
        "60, 2, 30000",
        "600, 2, 30000",
        "60, 64, 1000"
    })
    void shouldLengthenALimitByWhatWaitsForEachProcessor(double load, int processors, long millis) {
        assertThat(Leeway.of(Duration.ofSeconds(1), load, processors)).isEqualTo(Duration.ofMillis(millis));
    }

    @Test
    void shouldShortenNoLimitOfThisMachine() {
        assertThat(Leeway.of(Duration.ofSeconds(1))).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(Leeway.MOST));
    }
}
