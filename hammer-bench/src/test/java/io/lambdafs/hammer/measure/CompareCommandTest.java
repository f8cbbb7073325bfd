package io.lambdafs.hammer.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.model.FsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class CompareCommandTest {
    @TempDir
    private Path folder;

    private BenchResult compare(String a, String b) throws Exception {
        Path before = Files.writeString(folder.resolve("a.json"), a);
        Path after = Files.writeString(folder.resolve("b.json"), b);
        CompareCommand command = new CompareCommand(Console.ofProcess());
        new CommandLine(command).parseArgs(before.toString(), after.toString());
        return command.measure();
    }

    @Test
    void shouldMatchRowsByWhatTheyAre() throws Exception {
        BenchResult result = compare(
                "{\"rows\":[{\"op\":\"read\",\"clients\":8,\"opsPerSecond\":100,\"p50\":5},{\"op\":\"stat\",\"clients\":8,\"opsPerSecond\":50}]}",
                "{\"rows\":[{\"op\":\"stat\",\"clients\":8,\"opsPerSecond\":75},{\"op\":\"read\",\"clients\":8,\"opsPerSecond\":101,\"p50\":5}]}");
        assertThat(result.failures()).isEmpty();
        assertThat(result.text()).contains("rows[stat 8].opsPerSecond").contains("1.500");
        // 1 % is less than what is shown.
        assertThat(result.text()).doesNotContain("rows[read 8].opsPerSecond");
        assertThat(result.json().path("figures")).hasSize(5);
    }

    @Test
    void shouldFailWhereNothingIsInCommon() throws Exception {
        assertThat(compare("{\"a\":1}", "{\"b\":1}").failures()).hasSize(1);
    }

    @Test
    void shouldNameTheFileThatIsNoResult() {
        assertThatThrownBy(() -> compare("{\"a\":1}", "no"))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("b.json");
    }
}
