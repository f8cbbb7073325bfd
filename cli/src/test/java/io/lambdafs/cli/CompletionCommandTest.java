package io.lambdafs.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lambdafs.cluster.terminal.CommandRun;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompletionCommandTest {
    @TempDir
    private Path folder;

    /** Returns bash's completions of the last word of a line. */
    private String offers(String line) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "there is no bash");
        Path script = folder.resolve("completion");
        Files.writeString(script, CommandRun.of(Main::run, "completion", "bash").out());
        String[] words = line.split(" ", -1);
        Path driver = Files.writeString(
                folder.resolve("driver"),
                "source '" + script + "'\nCOMP_WORDS=(" + line.replaceAll(" $", " ''") + ")\nCOMP_CWORD="
                        + (words.length - 1) + "\nCOMP_LINE='" + line
                        + "'\n_complete_lambdafs\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
        Process bash = new ProcessBuilder("/bin/bash", driver.toString())
                .redirectErrorStream(true)
                .start();
        String printed = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        bash.waitFor();
        return printed;
    }

    @ParameterizedTest
    @CsvSource({
        "lambdafs qui,               quickstart",
        "lambdafs cluster sta,       status",
        "lambdafs quickstart --sec,  --seconds",
        "lambdafs bench sub,         subtree"
    })
    void shouldCompleteCommandsAndOptions(String line, String expected) throws Exception {
        assertThat(offers(line).lines()).contains(expected);
    }

    @Test
    void shouldTellZshHowToReadIt() {
        CommandRun zsh = CommandRun.of(Main::run, "completion", "zsh");
        assertThat(zsh.exit()).isZero();
        assertThat(zsh.out()).startsWith("autoload -U +X compinit").contains("bashcompinit", "_complete_lambdafs");
        assertThat(zsh.err()).isEmpty();
    }
}
