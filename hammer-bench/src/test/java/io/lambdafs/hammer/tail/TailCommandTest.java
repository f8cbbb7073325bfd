package io.lambdafs.hammer.tail;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.cluster.terminal.Console;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TailCommandTest {
    @ParameterizedTest
    @CsvSource({
        "--rounds,  0,    --rounds is 1..100",
        "--seconds, 0,    --seconds is 1..3600",
        "--window,  0,    --window is 1..4096",
        "--ops,     -1,   --ops is 0..1000000",
        "--every,   10,   --every is 20..60000",
        "--stop,    501,  --stop is 1..half of --every"
    })
    void shouldRefuseWhatMakesNoSenseBeforeItStartsACluster(String option, String value, String why) {
        CommandRun run = CommandRun.ofCommand(TailCommand::new, "--what", "stragglers", option, value);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", why);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldSayWhatCanBeMeasured() throws Exception {
        CommandRun run = CommandRun.ofCommand(TailCommand::new, "--what", "luck");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("STRAGGLERS", "THRASHING");
    }

    @Test
    void shouldTakeTurnsInEitherOrderWithTheSameChances() throws Exception {
        List<String> taken = new ArrayList<>();
        TailSettings settings = new TailSettings(Measure.THRASHING, 3, 10, 16, 0, 1_000, 300, 40);
        List<Turn> turns = TailCommand.inTurns(
                settings,
                (on, seed) -> {
                    taken.add((on ? "on " : "off ") + seed);
                    return turn(on, seed, 0, 0);
                },
                Console.ofProcess());
        assertThat(taken).containsExactly("off 40", "on 40", "on 41", "off 41", "off 42", "on 42");
        assertThat(turns).extracting(Turn::on).containsExactly(false, true, true, false, false, true);
    }

    private static Turn turn(boolean on, long p999Micros, long stragglers, long starts) {
        Load.Outcome outcome =
                new Load.Outcome(10_000, on ? 0 : 1, 1_000, 500, 2_000, p999Micros, 310_000, List.of("lost"));
        return new Turn(on, outcome, new Readings(15, stragglers, 2, 7, 20, starts, 0.02));
    }

    private static TailResult result(Measure measure) {
        TailSettings settings = new TailSettings(measure, 3, 10, 16, 700, 1_000, 300, 1);
        return new TailResult(
                settings,
                List.of(
                        turn(false, 300_000, 0, 40),
                        turn(true, 70_000, 30, 3),
                        turn(true, 60_000, 28, 2),
                        turn(false, 290_000, 0, 41),
                        turn(false, 310_000, 0, 50),
                        turn(true, 65_000, 31, 1)));
    }

    @Test
    void shouldPutTurnsWithoutAndWithTheMeasureSideBySide() throws Exception {
        assertThat(result(Measure.STRAGGLERS).text())
                .contains("stopped for 300 ms every 1000 ms")
                .containsPattern("p99\\.9, ms +300\\.00 \\(290\\.00 to 310\\.00\\) +65\\.00 \\(60\\.00 to 70\\.00\\)")
                .containsPattern("given up as stragglers +0 \\(0 to 0\\) +30 \\(28 to 31\\)")
                .containsPattern("failed +1 \\(1 to 1\\) +0 \\(0 to 0\\)")
                .doesNotContain("instances started");
        assertThat(result(Measure.THRASHING).text())
                .containsPattern("instances started +41 \\(40 to 50\\) +2 \\(1 to 3\\)")
                .containsPattern("cost of a million, \\$ +2\\.000")
                .doesNotContain("stopped");
    }

    @Test
    void shouldTellScriptsOfEveryTurn() throws Exception {
        JsonNode json = result(Measure.THRASHING).json();
        assertThat(names(json))
                .containsExactly(
                        "schema",
                        "what",
                        "rounds",
                        "seconds",
                        "window",
                        "ops",
                        "everyMillis",
                        "stopMillis",
                        "seed",
                        "processors",
                        "failed",
                        "turns");
        assertThat(json.path("what").asText()).isEqualTo("thrashing");
        assertThat(json.path("failed").asLong()).isEqualTo(3);
        assertThat(json.path("turns")).hasSize(6);
        assertThat(names(json.path("turns").path(1)))
                .containsExactly(
                        "on",
                        "operations",
                        "failed",
                        "opsPerSecond",
                        "p50Micros",
                        "p99Micros",
                        "p999Micros",
                        "maxMicros",
                        "stops",
                        "stragglers",
                        "thrashings",
                        "strays",
                        "http",
                        "starts",
                        "payPerUseUsd",
                        "usdPerMillion");
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
