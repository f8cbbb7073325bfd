package io.lambdafs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.hammer.Arrivals;
import io.lambdafs.hammer.LoadShape;
import io.lambdafs.hammer.OperationMix;
import io.lambdafs.hammer.Workload;
import io.lambdafs.hammer.load.WorkloadFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
                "operations:⏎  stat: 1⏎  read: much            | 3 | \"read\" must be a number, not \"much\"",
                "operations:⏎  read: -1                        | 2 | \"read\" is 0..1000000000, not -1",
                "operations:⏎  read: 1⏎  read: 2               | 3 | uplicate",
                "operations:⏎  read: 0                         | 1 | at least one share above 0",
                "operations: {}                                | 1 | at least one share above 0",
                "name: x                                       | 1 | at least one share above 0",
                "operations: all                               | 1 | \"operations\" is a mapping, of create",
                "operations: {read: 1}⏎lode: {}                | 2 | did you mean \"load\"?",
                "operations: {read: 1}⏎load:⏎  shape: peak     | 3 | \"shape\" is one of bursts, step, spike, not peak",
                "operations: {read: 1}⏎load:⏎  arrivals: pareto| 3 | \"arrivals\" is one of poisson, uniform, constant",
                "operations: {read: 1}⏎load:⏎  seconds: 0      | 3 | \"seconds\" is 1..86400, not 0",
                "operations: {read: 1}⏎load: {warm-up: 0.5}    | 2 | \"warm-up\" is 0, or 1 s and more",
                "operations: {read: 1}⏎tree: {depht: 3}        | 2 | did you mean \"depth\"?",
                "operations: {read: 1}⏎tree: {files: 1.5}      | 2 | \"files\" is a whole number",
                "operations: {read: 1}⏎tree: {depth: 9, fan-out: 100} | 2 | files and directories in all",
                "operations: {read: 1}⏎tree: {name-length: 2}  | 2 | to number what is in a directory",
                "operations: {read: 1}⏎tree: {listing: a, files: 1} | 2 | stands alone",
                "operations: {read: 1}⏎zipf: 5                 | 2 | \"zipf\" is 0..4, not 5",
                "operations: {read: [1]}                       | 1 | \"read\" needs a value",
                "operations: {read: 1}⏎---⏎a: 1                | 3 | a second document begins",
                "- read                                        | 1 | not a mapping",
                "operations: {read: 1                          | 1 | it is not YAML",
                "a: 1⏎b: \"x                                   | 2 | it is not YAML"
            })
    void shouldNameFileAndLineBeforeAnythingStarts(String text, int line, String why) throws Exception {
        Path file = file(text.strip());
        CommandRun run = replay("--profile", file);
        assertThat(run.exit()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains(file + ":" + line + ": ", why.strip());
    }

    @Test
    void shouldReadEveryKey() throws Exception {
        Path file = file("""
                name: mine
                operations: {read: 3, create: 1}
                load:
                  shape: step
                  arrivals: constant
                  seconds: 2.5
                  base-ops: 100
                  burst-factor: 3
                zipf: 0
                seed: 9
                """);
        Workload workload = WorkloadFile.read(file.toString());
        assertThat(workload.shape()).isEqualTo(LoadShape.STEP);
        assertThat(workload.arrivals()).isEqualTo(Arrivals.CONSTANT);
        assertThat(workload.length()).isEqualTo(Duration.ofMillis(2_500));
        assertThat(workload.baseOps()).isEqualTo(100);
        assertThat(workload.burstFactor()).isEqualTo(3);
        assertThat(workload.zipfExponent()).isZero();
        assertThat(workload.seed()).isEqualTo(9);
        assertThat(workload.plan()).contains("mine: create 1.0, read 3.0", "constant arrivals", "seed 9");
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
        file("operations: {read: 1}\ntree: {listing: names}\n");
        Files.writeString(folder.resolve("names"), "a/b\na/b\n");
        CommandRun bad = replay("--profile", file, "--dry-run");
        assertThat(bad.exit()).isEqualTo(2);
        assertThat(bad.err()).contains(folder.resolve("names") + ":2: ", "is in line 1 already");
    }

    @Test
    void shouldTakeJsonForTheYamlThatItIs() throws Exception {
        Path file = file("{\"operations\": {\"read\": 70.5, \"stat\": 20}}");
        assertThat(WorkloadFile.read(file.toString()).plan()).contains("read 70.5, stat 20.0");
    }

    @Test
    void shouldHaveThePapersWorkloadAsAFile() {
        Workload spotify = WorkloadFile.read("spotify");
        Workload papers = Workload.spotify(Duration.ofMinutes(1), 2_000, 1);
        for (int i = 0; i < 100_000; i++) {
            assertThat(spotify.mix().at(i / 1e5)).isEqualTo(OperationMix.SPOTIFY.at(i / 1e5));
        }
        assertThat(spotify).usingRecursiveComparison().ignoringFields("mix").isEqualTo(papers);
        assertThat(WorkloadFile.read("analytics").plan()).contains("analytics mix", "read 12000.0");
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
