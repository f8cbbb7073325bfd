package io.lambdafs.benchmarks.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.cluster.terminal.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
@Tag("slow")
class MemoryCommandTest {
    @TempDir
    private Path tree;

    @ParameterizedTest
    @CsvSource({
        "--inodes,  -1,    --inodes is 0..100000000",
        "--cache,   0,     --cache is 1..16384",
        "--cache,   16385, --cache is 1..16384",
        "--seconds, 3601,  --seconds is 0..3600"
    })
    void shouldRefuseWhatMakesNoSense(String option, String value, String why) {
        CommandRun run = CommandRun.ofCommand(MemoryCommand::new, option, value);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", why);
    }

    @Test
    void shouldRefuseTreeWithoutFiles() {
        CommandRun run = CommandRun.ofCommand(MemoryCommand::new, "--tree", tree);
        assertThat(run.exit()).isNotZero();
        assertThat(run.err()).contains("no files in", tree.toString());
    }

    @Test
    void shouldMeasureEachRoleAndPressure() throws IOException {
        for (int d = 0; d < 20; d++) {
            Path directory = Files.createDirectories(tree.resolve("directory " + d));
            for (int f = 0; f < 30; f++) {
                Files.createFile(directory.resolve("a file of usual length " + f));
            }
        }
        CommandRun run = CommandRun.ofCommand(
                MemoryCommand::new, "--tree", tree, "--inodes", 20_000, "--cache", 1, "--seconds", 1, "--json");
        assertThat(run.exit()).as(run.err()).isZero();
        JsonNode result = new ObjectMapper().readTree(run.out());
        assertThat(result.get("names").asInt()).isEqualTo(1 + 20 + 600);
        assertThat(result.get("roles").findValuesAsText("role"))
                .containsExactly("links", "entries", "listings", "both");
        for (JsonNode role : result.get("roles")) {
            assertThat(role.get("inodes").asLong()).isGreaterThanOrEqualTo(20_000);
            assertThat(role.get("bytesPerInode").asDouble()).as("%s", role).isBetween(30.0, 250.0);
        }
        JsonNode pressure = result.get("pressure");
        assertThat(pressure.get("evictions").asLong()).isPositive();
        assertThat(pressure.get("peakBytes").asLong()).isBetween(1L << 18, (1L << 20) + (1L << 16));
        assertThat(pressure.get("inodeNanos").get("count").asLong()).isPositive();
        assertThat(pressure.get("walkNanos").get("max").asLong()).isPositive();
        CommandRun text = CommandRun.ofCommand(
                MemoryCommand::new, "--tree", tree, "--inodes", 1_000, "--cache", 1, "--seconds", 1);
        assertThat(text.out()).contains("listings", "evictions", "longest pause");
    }
}
