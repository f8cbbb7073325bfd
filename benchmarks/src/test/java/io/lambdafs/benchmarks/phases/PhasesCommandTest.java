package io.lambdafs.benchmarks.phases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.phases.PhasesSettings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@Tag("slow")
final class PhasesCommandTest {
    @TempDir
    private Path folder;

    private static List<PhasesSettings> sizes(String... options) {
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        TreeTestCommand command = new TreeTestCommand(new Console(nowhere, nowhere, 0));
        new CommandLine(command).parseArgs(options);
        return command.sizes();
    }

    @Test
    void shouldDivideTheFilesAmongTheClients() {
        assertThat(sizes("--clients", "2,4", "--total", "1000"))
                .extracting(PhasesSettings::files)
                .containsExactly(500, 250);
        assertThat(sizes("--paper"))
                .hasSize(8)
                .allSatisfy(each -> assertThat(each.files()).isEqualTo(10_000));
        assertThat(sizes("--paper").get(7).clients()).isEqualTo(256);
        assertThat(sizes()).extracting(PhasesSettings::clients).containsExactly(16);
    }

    @Test
    void shouldGiveAFileSystemThatIsSlowFewerFiles() {
        PhasesSettings wanted = sizes("--clients", "16", "--files", "1000").get(0);
        assertThat(PhasesTurns.fitting(wanted, 0.025, 120).files()).isEqualTo(300);
        assertThat(PhasesTurns.fitting(wanted, 0.001, 120)).isEqualTo(wanted);
        assertThat(PhasesTurns.fitting(wanted, 100, 120).files()).isEqualTo(1);
        assertThat(PhasesTurns.fitting(wanted, 100, 0)).as("without a limit").isEqualTo(wanted);
    }

    @ParameterizedTest
    @CsvSource({
        "--clients, '2,0',     --clients is 1..1024",
        "--clients, '2,1025',  --clients is 1..1024",
        "--total,   3,         at least one file for each",
        "--files,   0,         --files is 1..1000000",
        "--turn-seconds, -1,   --turn-seconds is 0 or more",
        "--with,    gfs,       --with knows hdfs",
        "--fs,      /tmp,      --fs takes a URI"
    })
    void shouldRefuseWhatMakesNoSenseBeforeItStartsACluster(String option, String value, String why) {
        CommandRun run = CommandRun.ofCommand(NnbenchCommand::new, option, value);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", why);
    }

    @Test
    void shouldRunAtTwoFileSystemsInTurns() throws Exception {
        Path one = Files.createDirectory(folder.resolve("one"));
        Path other = Files.createDirectory(folder.resolve("other"));
        CommandRun run = CommandRun.ofCommand(
                MdtestCommand::new,
                "--hard",
                "--fs",
                one.toUri(),
                "--fs",
                other.toUri(),
                "--clients",
                "1,3",
                "--total",
                "12",
                "--json",
                "--report",
                folder.resolve("out"));
        assertThat(run.exit()).as(run.err()).isZero();
        JsonNode rows = new ObjectMapper().readTree(run.out()).path("phases");
        assertThat(rows).hasSize(2 * 2 * 4);
        for (JsonNode row : rows) {
            assertThat(row.path("operations").asLong()).as("%s", row).isEqualTo(12);
            assertThat(row.path("failed").asLong()).as("%s", row).isZero();
            assertThat(row.path("opsPerSecond").asLong()).as("%s", row).isPositive();
        }
        assertThat(rows)
                .extracting(row -> row.path("target").asText())
                .contains(one.toUri().toString(), other.toUri().toString());
        try (Stream<Path> left = Files.list(one)) {
            assertThat(left).as("what it made is gone").isEmpty();
        }
        assertThat(folder.resolve("out/mdtest.html")).content().doesNotContain("Unfinished:");
        assertThat(folder.resolve("out/mdtest.csv"))
                .content()
                .startsWith("target,api,clients,files,durability,phase,operations");
    }

    @Test
    void shouldRunTreeTestAtIndexFs() throws Exception {
        Path other = Files.createDirectory(folder.resolve("other"));
        CommandRun run = CommandRun.ofCommand(
                TreeTestCommand::new,
                "--indexfs",
                "2",
                "--fs",
                other.toUri(),
                "--clients",
                "4",
                "--files",
                "50",
                "--json");
        assertThat(run.exit()).as(run.err()).isZero();
        JsonNode rows = new ObjectMapper().readTree(run.out()).path("phases");
        assertThat(rows)
                .filteredOn(row -> row.path("target").asText().equals("indexfs"))
                .hasSize(2)
                .allSatisfy(row -> {
                    assertThat(row.path("api").asText()).isEqualTo("native");
                    assertThat(row.path("operations").asLong()).isEqualTo(4 * 50);
                    assertThat(row.path("failed").asLong()).isZero();
                    assertThat(row.path("durability").asText()).contains("forced to the disk");
                });
    }

    @Test
    void shouldSayWhyAFileSystemCannotBeMeasured() {
        CommandRun run = CommandRun.ofCommand(TreeTestCommand::new, "--fs", "nothing://here/");
        assertThat(run.exit()).isNotZero();
        assertThat(run.err()).contains("measuring process of nothing://here/", "No FileSystem for scheme");
    }
}
