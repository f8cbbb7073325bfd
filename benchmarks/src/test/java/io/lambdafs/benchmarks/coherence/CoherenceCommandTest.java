package io.lambdafs.benchmarks.coherence;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.cluster.terminal.CommandRun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class CoherenceCommandTest {
    @ParameterizedTest
    @CsvSource({
        "--rounds,    0,      --rounds is 1..1000",
        "--warm-up,   -1,     --warm-up is 0..1000",
        "--writes,    100001, --writes is 1..100000",
        "--together,  1,      --together is 2..64",
        "--instances, 1,      --instances is 2..64"
    })
    void shouldRefuseWhatMakesNoSenseBeforeItStartsACluster(String option, String value, String why) {
        CommandRun run = CommandRun.ofCommand(CoherenceCommand::new, option, value);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", why);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldCompareRoundByRound() {
        CoherenceBench.Settings settings = new CoherenceBench.Settings(3, 0, 10, 16, 4);
        Map<CoherenceBench.Lane, List<Testbed.Turn>> turns = new LinkedHashMap<>();
        for (int atOnce : settings.widths()) {
            for (WriteKind kind : WriteKind.values()) {
                turns.put(new CoherenceBench.Lane(kind, atOnce, Side.COHERENT), turns(300, 1_000, 200, 500));
                turns.put(new CoherenceBench.Lane(kind, atOnce, Side.OFF), turns(100, 500, 200, 0));
            }
        }
        CoherenceBench.Result result = new CoherenceBench.Result(turns);
        JsonNode json = CoherenceCommand.json(settings, result);
        assertThat(json.path("awaited").asInt()).isEqualTo(3);
        assertThat(json.path("lanes")).hasSize(2 * WriteKind.values().length);
        JsonNode lane = json.path("lanes").get(0);
        assertThat(lane.path("write").asText()).isEqualTo("mkdirs");
        assertThat(lane.path("coherent").path("p50Micros").path("median").asDouble())
                .isEqualTo(300);
        assertThat(lane.path("p50Ratio").path("least").asDouble()).isEqualTo(1);
        assertThat(lane.path("p50Ratio").path("median").asDouble()).isEqualTo(2);
        assertThat(lane.path("p50Ratio").path("greatest").asDouble()).isEqualTo(3);
        assertThat(CoherenceCommand.text(settings, result)).contains("2.00 (1.00 to 3.00)", "(0.50)");
    }

    private static List<Testbed.Turn> turns(double first, double second, double third, double waited) {
        List<Testbed.Turn> turns = new ArrayList<>();
        for (double p50 : List.of(first, second, third)) {
            turns.add(new Testbed.Turn(p50, 2 * p50, waited));
        }
        return turns;
    }
}
