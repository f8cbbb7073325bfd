package io.lambdafs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.hammer.load.LoadOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code quickstart} and {@code replay} where they must refuse: before a cluster is started or asked. */
class LoadOptionsTest {
    @TempDir
    private Path folder;

    private static List<Path> temporaryClusters() throws IOException {
        try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return all.filter(file -> file.getFileName().toString().matches("lambdafs-[0-9]+"))
                    .toList();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--seconds,   0,        --seconds is 1..86400",
        "--seconds,   86401,    --seconds is 1..86400",
        "--base-ops,  0,        --base-ops is 1..1000000",
        "--base-ops,  NaN,      --base-ops is 1..1000000",
        "--max-files, 0,        --max-files is 1..10000000",
        "--tree,      /none,    --tree /none is not a directory that can be read",
        "--tree,      /etc/passwd, --tree /etc/passwd is not a directory",
        "--report,    /etc/passwd, --report /etc/passwd is not a directory that can be written",
        "--report,    /etc/passwd/x, --report /etc/passwd/x is not a directory"
    })
    void shouldRefuseWhatMakesNoSense(String option, String value, String why) throws Exception {
        for (String command : List.of("quickstart", "replay")) {
            CommandRun run = CommandRun.of(Main::run, command, option, value);
            assertThat(run.exit()).as(run.err()).isEqualTo(2);
            assertThat(run.err()).contains("LFS-108", why);
            assertThat(run.out()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--deployments=0", "--max-instances=0", "--conf=/none.json"})
    void shouldLeaveNoTemporaryClusterBehind(String option) throws Exception {
        List<Path> before = temporaryClusters();
        CommandRun run = CommandRun.of(Main::run, "quickstart", "--tree", folder, "--report", folder, option);
        assertThat(run.exit()).as(run.err()).isEqualTo(2);
        assertThat(temporaryClusters()).containsExactlyInAnyOrderElementsOf(before);
    }

    @ParameterizedTest
    @CsvSource({"relative, 2", "/a/../.., 2", "/, 2"})
    void shouldRefuseATargetThatCannotBe(String target, int exit) {
        CommandRun run = CommandRun.of(Main::run, "replay", "--tree", folder, "--dir", folder, "--target", target);
        assertThat(run.exit()).as(run.err()).isEqualTo(exit);
    }

    @Test
    void shouldSayThatNoClusterRunsBeforeItReadsTheTree() {
        CommandRun run = CommandRun.of(Main::run, "replay", "--tree", folder, "--dir", folder.resolve("none"));
        assertThat(run.exit()).isEqualTo(3);
        assertThat(run.err()).contains("no cluster runs in " + folder.resolve("none"));
        assertThat(folder.resolve("none")).doesNotExist();
    }

    @Test
    void shouldAcceptAReportBelowADirectoryThatIsThere() {
        assertThat(new LoadOptions(folder, 1, 1, 1, folder.resolve("a/b/c")).report())
                .doesNotExist();
    }
}
