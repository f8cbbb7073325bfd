package io.lambdafs.cluster.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterDirectoryTest {
    @TempDir
    private Path folder;

    private static AbstractThrowableAssert<?, ?> refusal(Path root) {
        return assertThatThrownBy(() -> new ClusterDirectory(root).prepare())
                .isInstanceOfSatisfying(
                        CommandFailure.class, e -> assertThat(e.exit()).isEqualTo(ExitCode.FAILED))
                .hasMessageStartingWith("cannot use the cluster directory " + root)
                .hasMessageEndingWith("name another one with --dir");
    }

    @Test
    void shouldTakeTheOptionThenTheVariableThenTheDefault() {
        Map<String, String> variable = Map.of(ClusterDirectory.VARIABLE, "/var/lfs");
        assertThat(ClusterDirectory.find(Path.of("/a/../b"), variable).root()).isEqualTo(Path.of("/b"));
        assertThat(ClusterDirectory.find(null, variable).root()).isEqualTo(Path.of("/var/lfs"));
        assertThat(ClusterDirectory.find(null, Map.of(ClusterDirectory.VARIABLE, " "))
                        .root())
                .isEqualTo(Path.of(System.getProperty("user.home"), ".lambdafs", "default"));
    }

    @Test
    void shouldMakeWhatIsMissingOpenToItsOwnerOnly() throws Exception {
        ClusterDirectory directory = new ClusterDirectory(folder.resolve("a/b"));
        directory.prepare();
        for (Path each : new Path[] {directory.root(), directory.run(), directory.logs()}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                    .isEqualTo("rwx------");
        }
        directory.prepare();
        assertThat(directory.exists()).isFalse();
    }

    @Test
    void shouldRefuseAFileInItsPlaceOrAboveItAndLeaveItAlone() throws Exception {
        Path file = Files.writeString(folder.resolve("taken"), "precious");
        refusal(file).hasMessageContaining("is a file");
        refusal(file.resolve("below")).hasMessageContaining(file.toString());
        Files.createDirectory(folder.resolve("half"));
        Files.writeString(folder.resolve("half/run"), "precious");
        refusal(folder.resolve("half")).hasMessageContaining(folder.resolve("half/run") + " is a file");
        assertThat(file).hasContent("precious");
    }

    @Test
    void shouldRefuseWhereNothingCanBeWritten() {
        assumeTrue(Files.isDirectory(Path.of("/proc/self")), "needs a place that nobody can write to");
        refusal(Path.of("/proc/self/lambdafs"));
    }
}
