package io.lambdafs.benchmarks.listing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.cluster.terminal.CommandRun;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListingCommandTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "--files,  0,     --files is 1..10000000",
        "--rounds, 1001,  --rounds is 1..1000",
        "--heap,   15,    --heap is 16..65536",
        "--page,   10001, --page is 1..10000"
    })
    void shouldRefuseWhatMakesNoSenseBeforeItStartsACluster(String option, String value, String why) {
        CommandRun run = CommandRun.ofCommand(ListingCommand::new, option, value);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", why);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldSayThatTheClusterThatWasNamedDoesNotRun() {
        CommandRun run = CommandRun.ofCommand(ListingCommand::new, "--dir", folder);
        assertThat(run.exit()).isEqualTo(3);
        assertThat(run.err()).contains(folder.toString());
    }

    @Test
    void shouldTellScriptsWhatWasMeasured() {
        ListingBench.Settings settings = new ListingBench.Settings(1_000, 3, 64, 100);
        ListingBench.Result result = new ListingBench.Result(
                List.of(10.0, 30.0, 20.0),
                List.of(5.0, 6.0, 4.0),
                List.of(90.0),
                List.of(100.0),
                List.of(77.0),
                List.of(11.11),
                40 << 20);
        JsonNode json = ListingCommand.json(settings, result);
        assertThat(json.path("heapMb").asInt()).isEqualTo(64);
        assertThat(json.path("heapPeakBytes").asLong()).isEqualTo(40 << 20);
        assertThat(json.path("nativeEntriesPerSecond").path("median").asLong()).isEqualTo(20);
        assertThat(json.path("hadoopEntriesPerSecond").path("least").asLong()).isEqualTo(4);
        assertThat(json.path("treeEntriesPerSecond").path("median").asLong()).isEqualTo(90);
        assertThat(json.path("treeByDirectoryEntriesPerSecond").path("median").asLong())
                .isEqualTo(11);
        assertThat(json.path("treeAheadEntriesPerSecond").path("median").asLong())
                .isEqualTo(77);
        assertThat(json.path("treeFilesPerSecond").path("median").asLong()).isEqualTo(100);
        assertThat(json.path("listFilesTimesFaster").asDouble()).isEqualTo(10.0);
        assertThat(ListingCommand.text(settings, result))
                .contains("20 (10 to 30)", "5 (4 to 6)", "40.0 MB used", "in 1/10.0 of the time");
    }
}
