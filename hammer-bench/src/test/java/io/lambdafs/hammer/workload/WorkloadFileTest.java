package io.lambdafs.hammer.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.hammer.tree.GeneratedNames;
import io.lambdafs.hammer.tree.TreeNames;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WorkloadFileTest {
    @TempDir
    private Path folder;

    private Path file(String text) throws Exception {
        return Files.writeString(folder.resolve("mine.yaml"), text.replace("⏎", "\n"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "operations:⏎  reed: 1                         | 2 | there is no key \"reed\" here; did you mean \"read\"?",
                "operations:⏎  stat: 1⏎  read: much            | 3 | \"read\" must be a number, not \"much\"",
                "operations:⏎  stat: 1⏎  read: 1_000           | 3 | \"read\" must be a number in plain digits, not \"1_000\"",
                "operations: {read: 1}⏎load: {seconds: 0x10}   | 2 | \"seconds\" must be a number",
                "operations: {read: 1}⏎zipf: .inf              | 2 | \"zipf\" must be a number",
                "operations: {read: 1}⏎zipf: .nan              | 2 | \"zipf\" must be a number",
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
    void shouldNameFileAndLine(String text, int line, String why) throws Exception {
        Path file = file(text.strip());
        assertThatThrownBy(() -> {
                    Workload workload = WorkloadFile.read(file.toString());
                    TreeNames names = WorkloadFile.names(file.toString());
                    throw new AssertionError("read " + workload + " on " + names);
                })
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessageContaining(file + ":" + line + ": ")
                .hasMessageContaining(why.strip());
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
        assertThat(workload.popularity().zipfExponent()).isZero();
        assertThat(workload.seed()).isEqualTo(9);
        assertThat(workload.plan()).contains("mine: create 1.0, read 3.0", "constant arrivals", "seed 9");
    }

    @Test
    void shouldTakeTheUsualWhereNothingIsSaid() throws Exception {
        Path file = file("operations: {read: 1}");
        Workload workload = WorkloadFile.read(file.toString());
        assertThat(workload)
                .usingRecursiveComparison()
                .ignoringFields("mix")
                .isEqualTo(Workload.spotify(Duration.ofSeconds(60), 2_000, 1));
        assertThat(workload.mix().describe()).isEqualTo("a mix of one's own: read 1.0");
        assertThat(WorkloadFile.names(file.toString())).isNull();
        assertThat(WorkloadFile.read(file("operations: {read: 1}\nload: {warm-up: 2.5}")
                                .toString())
                        .warmUp())
                .isEqualTo(Duration.ofMillis(2_500));
    }

    @Test
    void shouldTakeItsNamesFromAShapeOrAListing() throws Exception {
        String shape = file("operations: {read: 1}\ntree: {depth: 2, fan-out: 3, files: 4, name-length: 5}")
                .toString();
        assertThat(WorkloadFile.names(shape)).isEqualTo(new GeneratedNames(2, 3, 4, 5));
        String usual = file("operations: {read: 1}\ntree: {depth: 1}").toString();
        assertThat(WorkloadFile.names(usual)).isEqualTo(new GeneratedNames(1, 8, 16, 12));
        Files.writeString(folder.resolve("names"), "a/b\na/c\n");
        TreeNames listed = WorkloadFile.names(
                file("operations: {read: 1}\ntree: {listing: names}").toString());
        assertThat(listed).isNotNull();
        assertThat(listed.describe()).contains("names");
        assertThat(WorkloadFile.names("spotify")).isNull();
    }

    @Test
    void shouldSayThatThereIsNoSuchFileOrThatItIsTooLong() throws Exception {
        assertThatThrownBy(() -> WorkloadFile.read("no-such"))
                .hasMessageContaining(
                        "the profile no-such: there is no such file; a profile is one of spotify, analytics,");
        Path limit = file("#".repeat(65_536));
        assertThatThrownBy(() -> WorkloadFile.read(limit.toString())).hasMessageNotContaining("is longer");
        Path longer = file("#".repeat(65_537));
        assertThatThrownBy(() -> WorkloadFile.read(longer.toString()))
                .hasMessageContaining("it is longer than 65536 bytes");
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
}
