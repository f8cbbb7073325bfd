package io.lambdafs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cluster.terminal.CommandRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShareCommandTest {
    @TempDir
    Path folder = Path.of("");

    @Test
    void shouldSayThatTheClusterThatWasNamedDoesNotRun() {
        CommandRun run = CommandRun.of(Main::run, "share", "--dir", folder);

        assertThat(run.exit()).isEqualTo(3);
        assertThat(run.err()).contains(folder.toString());
    }
}
