package io.lambdafs.benchmarks.traversal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.cluster.terminal.CommandRun;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class TraversalCommandTest {
    @ParameterizedTest
    @CsvSource({
        "--files,       9,        --files is 10..100000000",
        "--directories, 1000001,  --directories is 1..1000000",
        "--bytes,       65537,    --bytes is 1..65536",
        "--threads,     0,        --threads is 1..1024",
        "--heap,        15,       --heap is 16..65536"
    })
    void shouldRefuseWhatMakesNoSenseBeforeItStartsACluster(String option, String value, String why) {
        CommandRun run = CommandRun.ofCommand(TraversalCommand::new, option, value);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", why);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldTellEachTenthOfTheWay() {
        TraversalBench.Settings settings = new TraversalBench.Settings(1_000, 10, 100, 4, 64, 1);
        List<TraversalBench.Tenth> tenths = List.of(
                new TraversalBench.Tenth(500, 2_000, 10 << 20), new TraversalBench.Tenth(1_000, 3_000, 11 << 20));
        JsonNode json = TraversalCommand.json(settings, tenths);
        assertThat(json.at("/tenths/1/filesPerSecond").asLong()).isEqualTo(3_000);
        assertThat(json.at("/tenths/0/liveHeapBytes").asLong()).isEqualTo(10 << 20);
        assertThat(TraversalCommand.text(settings, tenths)).contains("1,000        3,000           11.0");
    }
}
