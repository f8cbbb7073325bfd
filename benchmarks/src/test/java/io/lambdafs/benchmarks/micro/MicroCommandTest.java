package io.lambdafs.benchmarks.micro;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.cluster.terminal.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("slow")
class MicroCommandTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "--ops,         'stat,ls',      there is no \"ls\"",
        "--threads,     4097,           --threads is 1..4096",
        "--window,      -1,             --window is 1..4096",
        "--rounds,      0,              --rounds is 1..1000",
        "--seconds,     0.01,           --seconds is 0.05..600",
        "--warm-up,     -1,             --warm-up is 0..600",
        "--directories, 0,              --directories is 1..1000000",
        "--with,        gfs,            --with knows hdfs",
        "--jars,        /no/such.jar,   /no/such.jar cannot be read",
        "--fs,          /tmp,           --fs takes a URI",
        "--compare,     /no/such/file,  cannot be read"
    })
    void shouldRefuseWhatMakesNoSenseBeforeItStartsACluster(String option, String value, String why) {
        CommandRun run = CommandRun.ofCommand(MicroCommand::new, option, value);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", why);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldRefuseToMeasureNothing() {
        CommandRun run = CommandRun.ofCommand(MicroCommand::new, "--threads", "0", "--window", "0");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("both empty");
    }

    @Test
    void shouldRefuseToLeaveOutTheOnlyInterfaceThereIs() {
        CommandRun run = CommandRun.ofCommand(MicroCommand::new, "--fs", folder.toUri(), "--threads", "0");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("--threads 0 leaves nothing to measure");
    }

    @Test
    void shouldRefuseToMeasureADoorOfNoCluster() {
        CommandRun run = CommandRun.ofCommand(MicroCommand::new, "--fs", folder.toUri(), "--with", "door");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("--with door measures λFS's cluster");
    }

    @Test
    void shouldSayThatTheClusterThatWasNamedDoesNotRun() {
        CommandRun run = CommandRun.ofCommand(MicroCommand::new, "--dir", folder);
        assertThat(run.exit()).isEqualTo(3);
        assertThat(run.err()).contains("no cluster runs in");
    }

    @Test
    void shouldSayWhyAFileSystemCannotBeMeasured() {
        CommandRun run = CommandRun.ofCommand(MicroCommand::new, "--fs", "nothing://here/");
        assertThat(run.exit()).isNotZero();
        assertThat(run.err()).contains("measuring process of nothing://here/", "No FileSystem for scheme");
    }

    @Test
    void shouldMeasureTwoFileSystemsInTurns() throws IOException {
        Path one = Files.createDirectory(folder.resolve("one"));
        Path other = Files.createDirectory(folder.resolve("other"));
        Path out = folder.resolve("result.json");
        String[] arguments = {
            "--ops", "mkdirs,rename", "--threads", "2", "--rounds", "2", "--seconds", "0.05", "--warm-up", "0.02"
        };
        CommandRun run = CommandRun.ofCommand(
                MicroCommand::new,
                Stream.of(
                                Stream.of("--fs", one.toUri(), "--fs", other.toUri()),
                                Stream.of((Object[]) arguments),
                                Stream.of("--out", out, "--json"))
                        .flatMap(part -> part)
                        .toArray());
        assertThat(run.exit()).as(run.err()).isZero();
        JsonNode tree = new ObjectMapper().readTree(run.out());
        assertThat(tree.path("results").size()).isEqualTo(4);
        for (JsonNode row : tree.path("results")) {
            assertThat(row.path("ops").asLong()).as("%s", row).isPositive();
            assertThat(row.path("failed").asLong()).isZero();
            assertThat(row.path("clientCpuMicrosPerOp").asDouble()).isPositive();
            assertThat(row.path("serverCpuMicrosPerOp").isNull()).isTrue();
            assertThat(row.path("rounds").size()).isEqualTo(2);
        }
        assertThat(tree.path("ratios").size()).isEqualTo(2);
        assertThat(Comparison.read(out)).isEqualTo(tree);
        try (Stream<Path> left = Files.list(one)) {
            assertThat(left).as("what it made is gone").isEmpty();
        }
    }
}
