package io.lambdafs.benchmarks.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.cluster.terminal.CommandRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class ClientsCommandTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "--clients,    0,      --clients is 1..1024",
        "--per-server, '4,-1', '--per-server is 0..1024, each once'",
        "--per-server, '4,4',  '--per-server is 0..1024, each once'",
        "--rounds,     1001,   --rounds is 1..1000",
        "--seconds,    0,      --seconds is 0.1..600",
        "--warm-up,    -1,     --warm-up is 0..600"
    })
    void shouldRefuseWhatMakesNoSenseBeforeItStartsACluster(String option, String value, String why) {
        CommandRun run = CommandRun.ofCommand(ClientsCommand::new, option, value);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", why);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldSayThatTheClusterThatWasNamedDoesNotRun() {
        CommandRun run = CommandRun.ofCommand(ClientsCommand::new, "--dir", folder);
        assertThat(run.exit()).isEqualTo(3);
        assertThat(run.err()).contains(folder.toString());
    }

    @Test
    void shouldCompareEachLimitWithTheFirstRoundByRound() {
        ClientsBench.Settings settings = new ClientsBench.Settings(16, List.of(0, 4), 2, 1, 1);
        ClientsBench.Result result = new ClientsBench.Result(
                settings,
                Map.of(
                        4, List.of(turn(4, 9, 30_000), turn(4, 11, 50_000)),
                        0, List.of(turn(1, 4, 20_000), turn(1, 4, 50_000))));

        JsonNode json = ClientsCommand.json(result);

        assertThat(json.path("clients").asInt()).isEqualTo(16);
        assertThat(json.path("limits").findValues("perServer"))
                .map(JsonNode::asInt)
                .containsExactly(0, 4);
        JsonNode four = json.path("limits").path(1);
        assertThat(four.path("servers").path("median").asInt()).isEqualTo(4);
        assertThat(four.path("connections").path("least").asInt()).isEqualTo(16);
        assertThat(four.path("httpCalls").path("greatest").asInt()).isEqualTo(11);
        assertThat(four.path("opsPerSecond").path("median").asInt()).isEqualTo(40_000);
        assertThat(four.path("opsRatio").path("least").asDouble()).isEqualTo(1);
        assertThat(four.path("opsRatio").path("greatest").asDouble()).isEqualTo(1.5);
        assertThat(json.path("limits").path(0).path("opsRatio").path("median").asDouble())
                .isEqualTo(1);
        assertThat(ClientsCommand.text(result))
                .contains(
                        "no limit",
                        "40,000 (30,000 to 50,000)",
                        "1.25 (1.00 to 1.50)",
                        "from a cache: 99.90 % or more");
    }

    private static Turn turn(int servers, long httpCalls, double opsPerSecond) {
        return new Turn(servers, 4 * servers, httpCalls, 12, opsPerSecond, 400, 3_000, 0.999);
    }
}
