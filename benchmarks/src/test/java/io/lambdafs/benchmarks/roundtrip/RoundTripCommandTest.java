package io.lambdafs.benchmarks.roundtrip;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.cluster.terminal.CommandRun;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class RoundTripCommandTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"--rounds, 0, --rounds is 1..1000", "--seconds, 0, --seconds is 0.1..600"})
    void shouldRefuseWhatMakesNoSenseBeforeItStartsACluster(String option, String value, String why) {
        CommandRun run = CommandRun.ofCommand(RoundTripCommand::new, option, value);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", why);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldSayThatTheClusterThatWasNamedDoesNotRun() {
        CommandRun run = CommandRun.ofCommand(RoundTripCommand::new, "--dir", folder);
        assertThat(run.exit()).isEqualTo(3);
        assertThat(run.err()).contains(folder.toString());
    }

    @Test
    void shouldSetTheMediansBesideEachOther() {
        RoundTripBench.Settings settings = new RoundTripBench.Settings(2, 1);
        RoundTripBench.Result result = new RoundTripBench.Result(
                List.of(new RoundTripBench.Turn(30_000, 60_000, 10), new RoundTripBench.Turn(40_000, 80_000, 10)),
                List.of(new RoundTripBench.Turn(20_000, 30_000, 20), new RoundTripBench.Turn(20_000, 50_000, 20)));
        JsonNode json = RoundTripCommand.json(settings, result);
        assertThat(json.path("statMicros").path("p50").asDouble()).isEqualTo(35);
        assertThat(json.path("bareMicros").path("p99").asDouble()).isEqualTo(40);
        assertThat(json.path("ratio").path("median").asDouble()).isEqualTo(1.75);
        assertThat(json.path("ratio").path("least").asDouble()).isEqualTo(1.5);
        assertThat(RoundTripCommand.text(settings, result)).contains("1.75 (1.50 to 2.00)");
    }
}
