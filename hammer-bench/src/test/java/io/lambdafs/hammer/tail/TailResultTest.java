package io.lambdafs.hammer.tail;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each figure stands under its name. */
final class TailResultTest {
    private static Turn turn(boolean on, long base) {
        Load.Outcome outcome = new Load.Outcome(
                base + 1, on ? 2 : 0, base + 3, base + 4_000, base + 5_000, base + 6_000, base + 7_000, List.of());
        return new Turn(on, outcome, new Readings(8, base + 9, base + 10, base + 11, base + 12, base + 13, 0.5));
    }

    private static TailResult result(Measure measure) {
        return new TailResult(
                new TailSettings(measure, 1, 14, 15, 16, 40, 18, 19), List.of(turn(false, 0), turn(true, 100)));
    }

    @Test
    void shouldStandUnderTheirNamesInJson() {
        ObjectNode json = result(Measure.STRAGGLERS).json();
        assertThat(json.path("rounds").asInt()).isEqualTo(1);
        assertThat(json.path("seconds").asInt()).isEqualTo(14);
        assertThat(json.path("window").asInt()).isEqualTo(15);
        assertThat(json.path("ops").asInt()).isEqualTo(16);
        assertThat(json.path("everyMillis").asInt()).isEqualTo(40);
        assertThat(json.path("stopMillis").asInt()).isEqualTo(18);
        assertThat(json.path("seed").asInt()).isEqualTo(19);
        assertThat(json.path("failed").asInt()).isEqualTo(2);
        assertThat(json.path("turns").get(1))
                .hasToString("{\"on\":true,\"operations\":101,\"failed\":2,\"opsPerSecond\":103.0,\"p50Micros\":4100,"
                        + "\"p99Micros\":5100,\"p999Micros\":6100,\"maxMicros\":7100,\"stops\":8,\"stragglers\":109,"
                        + "\"thrashings\":110,\"strays\":111,\"http\":112,\"starts\":113,\"payPerUseUsd\":0.5,"
                        + "\"usdPerMillion\":" + 0.5e6 / 101 + "}");
    }

    @Test
    void shouldStandUnderTheirNamesInText() {
        String stopped = result(Measure.STRAGGLERS).text().replaceAll(" +", " ");
        assertThat(stopped)
                .contains(
                        "stopped for 18 ms every 40 ms; 16 operations per second, at most 15 in flight; median of 1 turns of 14 s",
                        "operations per second 3 (3 to 3) 103 (103 to 103)",
                        "p50, ms 4.00 (4.00 to 4.00) 4.10 (4.10 to 4.10)",
                        "p99, ms 5.00 (5.00 to 5.00) 5.10 (5.10 to 5.10)",
                        "p99.9, ms 6.00 (6.00 to 6.00) 6.10 (6.10 to 6.10)",
                        "slowest, ms 7.0 (7.0 to 7.0) 7.1 (7.1 to 7.1)",
                        "instances stopped 8 (8 to 8) 8 (8 to 8)",
                        "given up as stragglers 9 (9 to 9) 109 (109 to 109)",
                        "by HTTP 12 (12 to 12) 112 (112 to 112)",
                        "failed 0 (0 to 0) 2 (2 to 2)");
        assertThat(result(Measure.STRAGGLERS).failures()).containsExactly("2 operations failed");
    }
}
