package io.lambdafs.hammer.measure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.cluster.terminal.Console;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

final class BenchCommandTest {
    @TempDir
    private Path folder;

    @Command(name = "sample")
    static final class Sample extends ReportedCommand {
        @Option(names = "--fail")
        private boolean fail;

        @Option(names = "--half")
        private boolean half;

        Sample(Console console) {
            super(console);
        }

        @Override
        protected BenchResult measure() {
            BenchResult result = new BenchResult(
                    JsonNodeFactory.instance.objectNode().put("figure", 42),
                    "the figure is 42",
                    fail ? List.of("one failed", "two failed") : List.of());
            if (half) {
                soFar(result);
                throw new IllegalStateException("interrupted");
            }
            return result;
        }
    }

    @Test
    void shouldPrintForPeopleOrForPrograms() {
        CommandRun run = CommandRun.ofCommand(Sample::new);
        assertThat(run.exit()).isZero();
        assertThat(run.out()).isEqualTo("the figure is 42\n");
        assertThat(run.err()).isEmpty();
        assertThat(CommandRun.ofCommand(Sample::new, "--json").out()).isEqualTo("{\"figure\":42}\n");
    }

    @Test
    void shouldFailWhereAMeasurementFailed() {
        CommandRun run = CommandRun.ofCommand(Sample::new, "--fail");
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.out()).isEqualTo("the figure is 42\n");
        assertThat(run.err()).contains("lambdafs: one failed\n", "lambdafs: two failed\n");
    }

    @Test
    void shouldLeaveAReport() throws Exception {
        CommandRun run = CommandRun.ofCommand(Sample::new, "--report", folder.resolve("out"));
        assertThat(run.err()).contains("report: " + folder.resolve("out/sample.html"));
        assertThat(Files.readString(folder.resolve("out/sample.json"))).contains("\"figure\" : 42");
        assertThat(folder.resolve("out/sample.csv")).exists();
    }

    @Test
    void shouldLeaveAReportOfWhatThereIsSoFar() {
        CommandRun run = CommandRun.ofCommand(Sample::new, "--half", "--report", folder.resolve("half"));
        assertThat(run.exit()).isNotZero();
        assertThat(folder.resolve("half/sample.html")).exists();
        assertThat(CommandRun.ofCommand(Sample::new, "--half").exit()).isNotZero();
    }

    @Test
    void shouldRefuseAPlaceForTheReportBeforeItMeasures() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        CommandRun run = CommandRun.ofCommand(Sample::new, "--report", file);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", "--report " + file + " is not a directory that can be written");
        assertThat(run.out()).isEmpty();
    }
}
