package io.lambdafs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cluster.terminal.CommandRun;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadFileTest {
    @TempDir
    private Path folder;

    private Path file(String text) throws Exception {
        return Files.writeString(folder.resolve("mine.yaml"), text.replace("⏎", "\n"));
    }

    private CommandRun replay(Object... more) {
        Object[] all = new Object[5 + more.length];
        System.arraycopy(new Object[] {"replay", "--tree", folder, "--dir", folder.resolve("none")}, 0, all, 0, 5);
        System.arraycopy(more, 0, all, 5, more.length);
        return CommandRun.of(Main::run, all);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "operations:⏎  reed: 1                         | 2 | there is no key \"reed\" here; did you mean \"read\"?",
                "operations: {read: 1}⏎tree: {depth: 9, fan-out: 100} | 2 | files and directories in all",
                "operations: {read: 1                          | 1 | it is not YAML"
            })
    void shouldNameFileAndLineBeforeAnythingStarts(String text, int line, String why) throws Exception {
        Path file = file(text.strip());
        CommandRun run = replay("--profile", file);
        assertThat(run.exit()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains(file + ":" + line + ": ", why.strip());
    }

    @Test
    void shouldTakeItsNamesFromAShapeOrAListing() throws Exception {
        Path file = file("operations: {read: 1}\nload: {warm-up: 2}\ntree: {depth: 2, fan-out: 3, files: 4}\n");
        CommandRun run = replay("--profile", file, "--dry-run");
        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.out()).contains("2 s of warm-up, uncounted", "a generated tree (depth 2, fan-out 3, 4 files");
        CommandRun workers = replay("--profile", file, "--workers", "2");
        assertThat(workers.exit()).isEqualTo(2);
        assertThat(workers.err()).contains("--workers take neither");
        CommandRun many = replay("--base-ops", 10, "--workers", "16", "--dry-run");
        assertThat(many.exit()).isEqualTo(2);
        assertThat(many.err()).contains("less than 1 for each of 16 workers");
        file("operations: {read: 1}\ntree: {listing: names}\n");
        Files.writeString(folder.resolve("names"), "a/b\na/b\n");
        CommandRun bad = replay("--profile", file, "--dry-run");
        assertThat(bad.exit()).isEqualTo(2);
        assertThat(bad.err()).contains(folder.resolve("names") + ":2: ", "is in line 1 already");
    }

    @Test
    void shouldSayWhatWouldBeRunAndStartNothing() {
        CommandRun run = replay("--dry-run", "--seconds", "30", "--base-ops", "500", "--seed", "4");
        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("Spotify mix", "scale = 500 ops/s", "seed 4", "3,500 ops/s", "operations: create");
        assertThat(folder.resolve("none")).doesNotExist();
    }

    @Test
    void shouldThenLookForTheCluster() {
        assertThat(replay("--profile", "analytics").exit()).isEqualTo(3);
    }

    @Test
    void shouldSayThatThereIsNoSuchProfile() {
        CommandRun run = replay("--profile", "spotfy");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("the profile spotfy: there is no such file", "spotify, analytics");
    }

    @Test
    void shouldCheckATraceBeforeItLooksForTheCluster() throws Exception {
        Path trace = Files.writeString(folder.resolve("t.csv"), "time,client,op,path\n0,c,stat,/a\n1,c,sat,/a\n");
        CommandRun bad = replay("--trace", trace);
        assertThat(bad.exit()).isEqualTo(2);
        assertThat(bad.err()).contains(trace + ":3: ", "did you mean \"stat\"?");
        CommandRun both = replay("--trace", trace, "--audit-log", trace);
        assertThat(both.exit()).isEqualTo(2);
        assertThat(both.err()).contains("exclude each other");
        Files.writeString(trace, "time,client,op,path\n0,c,stat,/a\n");
        CommandRun dry = replay("--trace", trace, "--dry-run");
        assertThat(dry.exit()).as(dry.err()).isZero();
        assertThat(dry.out()).contains("1 operations", "stat 100.00 %");
        assertThat(replay("--trace", trace).exit()).isEqualTo(3);
    }
}
