package io.lambdafs.benchmarks.sharing;

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
class SharingCommandTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "--processes,  0,    --processes is 1..10000",
        "--parallel,   257,  --parallel is 1..256",
        "--operations, 0,    --operations is 1..1000000",
        "--rounds,     1001, --rounds is 1..1000"
    })
    void shouldRefuseWhatMakesNoSenseBeforeItStartsACluster(String option, String value, String why) {
        CommandRun run = CommandRun.ofCommand(SharingCommand::new, option, value);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", why);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldSayThatTheClusterThatWasNamedDoesNotRun() {
        CommandRun run = CommandRun.ofCommand(SharingCommand::new, "--dir", folder);
        assertThat(run.exit()).isEqualTo(3);
        assertThat(run.err()).contains(folder.toString());
    }

    @Test
    void shouldReadWhatAProcessSays() {
        Task said = new Task(1_500, 20_000, 0, 3, 4);

        assertThat(Task.parse(said.line(), 700)).isEqualTo(new Task(1_500, 20_000, 700, 3, 4));
    }

    @Test
    void shouldTellScriptsWhatWasMeasured() {
        SharingBench.Settings settings = new SharingBench.Settings(2, 1, 10, 1);
        SharingBench.Result result = new SharingBench.Result(
                List.of(new Task(40_000, 60_000, 700, 4, 3), new Task(50_000, 80_000, 800, 3, 4)),
                List.of(new Task(20_000, 30_000, 600, 0, 0), new Task(22_000, 34_000, 620, 1, 0)));

        JsonNode json = SharingCommand.json(settings, result);

        assertThat(json.path("without").path("firstReplyMicros").path("median").asLong())
                .isEqualTo(45_000);
        assertThat(json.path("with").path("allRepliesMicros").path("greatest").asLong())
                .isEqualTo(34_000);
        assertThat(json.path("without").path("httpCallsPerProcess").asDouble()).isEqualTo(3.5);
        assertThat(json.path("with").path("connectionsPerProcess").asDouble()).isZero();
        assertThat(SharingCommand.text(settings, result)).contains("45.0 (50.0)", "21.0 (22.0)", "610 (620)", "3.50");
    }
}
