package io.lambdafs.hammer.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.model.FsException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
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
    void shouldWriteAPageWhereAsked() throws Exception {
        String json = "{\"rows\":[{\"op\":\"a,b\",\"p50\":4},{\"op\":\"read\",\"p50\":5}]}";
        String file = Files.writeString(folder.resolve("a.json"), json).toString();
        Path out = folder.resolve("out/deep");
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        CommandLine line = new CommandLine(new CompareCommand(new Console(nowhere, nowhere, 0)));
        assertThat(line.execute(file, file, "--report", out.toString())).isZero();
        assertThat(out.resolve("compare.html")).content().contains("rows[a,b].p50");
        assertThat(out.resolve("compare.json")).content().contains("\"ratio\" : 1.0");
        assertThat(out.resolve("compare.csv"))
                .hasContent("figure,a,b,ratio\n\"rows[a,b].p50\",4.0,4.0,1.0\nrows[read].p50,5.0,5.0,1.0\n");
        CompareCommand early = new CompareCommand(new Console(nowhere, nowhere, 0));
        new CommandLine(early).parseArgs("none", "none", "--report", file);
        assertThatThrownBy(early::call).isInstanceOf(FsException.class).hasMessageContaining("--report " + file);
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
