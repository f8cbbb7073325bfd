package io.lambdafs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cluster.terminal.CommandRun;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MixFileTest {
    @TempDir
    private Path folder;

    private CommandRun replay(String mix) throws Exception {
        Path file = Files.writeString(folder.resolve("mix.json"), mix);
        return CommandRun.of(Main::run, "replay", "--tree", folder, "--dir", folder.resolve("none"), "--profile", file);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"reed\": 1}                | did you mean \"read\"?",
                "{\"read\": \"much\"}         | the share of \"read\" must be a number",
                "{\"read\": -1}               | the share of read must be 0..1000000000, not -1",
                "{\"read\": 0}                | at least one share must be above 0",
                "{}                           | at least one share",
                "[1]                          | not a JSON object",
                "{\"read\": 1, \"read\": 2}   | Duplicate",
                "{                            | not JSON"
            })
    void shouldSayWhatIsWrongWithAMix(String mix, String why) throws Exception {
        CommandRun run = replay(mix);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains(folder.resolve("mix.json").toString(), why.strip());
    }

    @Test
    void shouldReadSharesAndThenLookForTheCluster() throws Exception {
        assertThat(replay("{\"read\": 70.5, \"stat\": 20, \"create\": 10}").exit())
                .isEqualTo(3);
    }

    @Test
    void shouldSayThatThereIsNoSuchProfile() {
        CommandRun run = CommandRun.of(Main::run, "replay", "--tree", folder, "--profile", "spotfy");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("the profile spotfy: there is no such file", "spotify");
    }
}
