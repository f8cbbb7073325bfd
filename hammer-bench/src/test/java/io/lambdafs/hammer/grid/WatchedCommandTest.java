package io.lambdafs.hammer.grid;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.cluster.terminal.CommandRun;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
@Tag("slow")
final class WatchedCommandTest {
    @ParameterizedTest
    @CsvSource({"--viewers, 0, --viewers is 1..8", "--pairs, 0, --pairs is 1..1000", "--seconds, 0, --seconds is 0..60"
    })
    void shouldRefuseWhatMakesNoSenseBeforeItStartsACluster(String option, String value, String why) {
        CommandRun run = CommandRun.ofCommand(WatchedCommand::new, option, value);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", why);
    }

    @Test
    void shouldMeasureAPageThatIsReallyRead() throws Exception {
        CommandRun run =
                CommandRun.ofCommand(WatchedCommand::new, "--viewers", 2, "--pairs", 1, "--seconds", 1.5, "--json");
        assertThat(run.exit()).as(run.err()).isZero();
        JsonNode result = new ObjectMapper().readTree(run.out());
        assertThat(result.path("openOpsPerSecond").asLong()).isPositive();
        assertThat(result.path("closedOpsPerSecond").asLong()).isPositive();
        // A viewer first gets the history, then an event each second.
        assertThat(result.path("bytesPerTurn").asLong()).isGreaterThan(2_000);
    }
}
