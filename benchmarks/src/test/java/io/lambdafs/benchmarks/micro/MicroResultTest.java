package io.lambdafs.benchmarks.micro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.benchmarks.micro.driver.MicroOp;
import io.lambdafs.benchmarks.peers.Targets;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MicroResultTest {
    @TempDir
    private Path folder;

    private final MicroSettings settings =
            new MicroSettings(List.of(MicroOp.STAT), List.of(8), List.of(), 5, 1, 0.5, 1, 10);
    private final MeasuredOn surroundings = new MeasuredOn(2, "17", 0.3, List.of());
    private final LaneKey ours = new LaneKey("lambdafs", LaneKey.HADOOP, MicroOp.STAT, 8);
    private final LaneKey theirs = new LaneKey("hdfs", LaneKey.HADOOP, MicroOp.STAT, 8);

    private ObjectNode json(double... opsPerSecond) {
        List<LaneResult> results = List.of(
                new LaneResult(ours, Rounds.of(opsPerSecond)), new LaneResult(theirs, Rounds.of(500, 500, 500)));
        Ratio ratio = Ratio.of(ours, Rounds.of(opsPerSecond), theirs, Rounds.of(500, 500, 500));
        return MicroJson.of(settings, surroundings, results, List.of(ratio));
    }

    private static List<String> keys(JsonNode node) {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void shouldTellScriptsWhatWasMeasured() {
        ObjectNode tree = json(1_000, 1_000, 1_000);
        assertThat(tree.path("schema").asInt()).isEqualTo(1);
        assertThat(keys(tree)).contains("settings", "machine", "targets", "results", "ratios");
        JsonNode row = tree.path("results").path(0);
        assertThat(keys(row))
                .contains(
                        "target",
                        "api",
                        "op",
                        "threads",
                        "window",
                        "ops",
                        "failed",
                        "opsPerSecond",
                        "p50Micros",
                        "p99Micros",
                        "p999Micros",
                        "clientCpuMicrosPerOp",
                        "serverCpuMicrosPerOp");
        assertThat(row.path("ops").asLong()).isEqualTo(3_000);
        assertThat(row.path("threads").asInt()).isEqualTo(8);
        assertThat(row.path("window").asInt()).isEqualTo(1);
        assertThat(row.path("opsPerSecond").asDouble()).isEqualTo(1_000);
        assertThat(row.path("p99Micros").asDouble()).isBetween(999.0, 1_001.0);
        assertThat(row.path("clientCpuMicrosPerOp").asDouble()).isEqualTo(20);
        assertThat(row.path("serverCpuMicrosPerOp").asDouble()).isEqualTo(30);
        assertThat(keys(tree.path("ratios").path(0)))
                .contains("op", "api", "threads", "window", "numerator", "denominator", "median", "min", "max");
        assertThat(tree.path("ratios").path(0).path("median").asDouble()).isEqualTo(2);
    }

    @Test
    void shouldSayBesideEveryNumberHowDurableItsWritesAre() {
        LaneKey s3a = new LaneKey(Targets.S3A, LaneKey.HADOOP, MicroOp.STAT, 8);
        List<LaneResult> results = List.of(new LaneResult(s3a, Rounds.of(500, 500, 500)));
        MeasuredOn there = new MeasuredOn(2, "17", 0.3, List.of(new MeasuredOn.Side(Targets.S3A, List.of())));
        assertThat(MicroTable.of(settings, there, results, List.of())).contains("durability: objects are files");
        ObjectNode tree = MicroJson.of(settings, there, results, List.of());
        assertThat(tree.at("/results/0/durability").asText()).contains("which nothing forces to it");
        assertThat(json(1).at("/results/0/durability").asText()).contains("forced to the disk");
    }

    @Test
    void shouldSayNothingOfServersThatItDoesNotKnow() {
        Round known = Rounds.of(10).get(0);
        Round round = new Round(known.nanos(), 0, null, 1, 0.1, Double.NaN, 0.01, 0.5);
        List<LaneResult> results = List.of(new LaneResult(ours, List.of(round)));
        JsonNode row = MicroJson.of(settings, surroundings, results, List.of())
                .path("results")
                .path(0);
        assertThat(row.path("serverCpuMicrosPerOp").isNull()).isTrue();
        assertThat(row.path("othersCores").isNull()).isTrue();
        assertThat(MicroTable.of(settings, surroundings, results, List.of())).contains(" - ");
    }

    @Test
    void shouldSetAResultBesideAnEarlierOne() throws IOException {
        Path file = folder.resolve("before.json");
        Files.writeString(file, json(1_000, 1_010, 990).toString());
        Comparison comparison = Comparison.of(Comparison.read(file), json(2_000, 2_010, 1_990));
        assertThat(comparison.changes()).hasSize(2);
        assertThat(comparison.changes().get(0).ratio()).isEqualTo(2);
        assertThat(comparison.changes().get(0).isClear()).isTrue();
        assertThat(comparison.changes().get(1).ratio()).isEqualTo(1);
        assertThat(comparison.changes().get(1).isClear()).isFalse();
        assertThat(comparison.lines()).contains("× 2.00 *");
    }

    @Test
    void shouldShowNoRatioToWhereNothingWasDone() {
        Comparison comparison = new Comparison(
                List.of(new Comparison.Change("lane", 0, 0, false), new Comparison.Change("lane", 0, 2, true)));
        assertThat(comparison.lines().lines().skip(1))
                .allSatisfy(line -> assertThat(line).contains("× -"))
                .noneSatisfy(line -> assertThat(line).containsAnyOf("NaN", "Infinity", "\u221e"));
    }

    @Test
    void shouldShowNoRatioOfTargetsWhereNeitherDidAnything() {
        Ratio ratio = Ratio.of(ours, Rounds.of(0, 0, 0), theirs, Rounds.of(0, 0, 0));
        assertThat(MicroTable.of(settings, surroundings, List.of(), List.of(ratio)))
                .contains(": - (- to -)")
                .doesNotContain("NaN");
    }

    @Test
    void shouldRefuseAFileThatIsNoResult() throws IOException {
        Path file = Files.writeString(folder.resolve("other.json"), "{\"schema\": 1}");
        assertThatThrownBy(() -> Comparison.read(file))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("no result of bench micro");
        assertThatThrownBy(() -> Comparison.read(folder.resolve("none")))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("cannot be read");
    }
}
