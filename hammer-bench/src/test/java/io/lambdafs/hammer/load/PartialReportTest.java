package io.lambdafs.hammer.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cluster.terminal.Console;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartialReportTest {
    @TempDir
    private Path folder;

    @Test
    void shouldWriteThePageThoughTheThreadIsInterruptedAndTheConsoleMute() throws Exception {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
        Console console = new Console(stream, stream, 0);
        console.mute();
        try (PartialReport partial = new PartialReport(console, folder.resolve("out"))) {
            Thread.currentThread().interrupt();
            partial.accept(OutcomeTest.result(0).unfinished("interrupted after 3.0 of 60 s"));
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        Path page = folder.resolve("out/report.html");
        assertThat(Files.readString(page)).contains("Unfinished:</strong> interrupted after 3.0 of 60 s.");
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("report of what was measured until then: " + page);
    }
}
