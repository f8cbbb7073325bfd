package io.lambdafs.benchmarks.subtree;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cluster.terminal.CommandRun;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Placement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubtreeCommandTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "--files,        0,      --files is 1..10000000",
        "--files,        10000001, --files is 1..10000000",
        "--small,        100001, --small is 1..files",
        "--alternations, 0,      --alternations is 1..10000",
        "--readers,      -1,     --readers is 0..1000",
        "--readers,      1001,   --readers is 0..1000"
    })
    void shouldRefuseWhatMakesNoSenseBeforeItStartsACluster(String option, String value, String why) {
        CommandRun run = CommandRun.ofCommand(SubtreeCommand::new, option, value);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("LFS-108", why);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldSayThatTheClusterThatWasNamedDoesNotRun() {
        CommandRun run = CommandRun.ofCommand(SubtreeCommand::new, "--dir", folder);
        assertThat(run.exit()).isEqualTo(3);
        assertThat(run.err()).contains("no cluster runs in " + folder);
    }

    @Test
    void shouldTellScriptsWhatWasMeasured() {
        SubtreeBench.Settings settings = new SubtreeBench.Settings(100_000, 10, 20, 8);
        SubtreeBench.Result result = new SubtreeBench.Result(
                3_000,
                2_000,
                4,
                1_100,
                5_000,
                List.of(),
                new SubtreeBench.Removal(4_000, 100_202, 2),
                new SubtreeBench.Removal(3_500, 14, 0.1));
        List<String> names = new ArrayList<>();
        SubtreeCommand.json(settings, result).fieldNames().forEachRemaining(names::add);
        assertThat(names)
                .containsExactly(
                        "schema",
                        "files",
                        "small",
                        "alternations",
                        "largeMedianMicros",
                        "smallMedianMicros",
                        "ratio",
                        "instances",
                        "leastCachedDescendants",
                        "reads",
                        "torn",
                        "largeRemoval",
                        "smallRemoval");
        assertThat(SubtreeCommand.json(settings, result).get("ratio").asDouble())
                .isEqualTo(1.5);
        assertThat(SubtreeCommand.text(settings, result))
                .contains("3.00 ms", "2.00 ms", "ratio 1.50", "4.00 ms", "50,101 a second");
    }

    @Test
    void shouldSampleEnoughFilesOfEveryDeployment() {
        BenchTree tree = new BenchTree(FsPath.of("/b"), "large", 20_500);
        Placement placement = new Placement(4);
        List<FsPath> sample = tree.sample(placement, 1_500, 4);
        int[] cached = new int[4];
        for (FsPath file : sample) {
            cached[placement.owner(file)]++;
        }
        assertThat(java.util.Arrays.stream(cached).min().orElse(0)).isGreaterThanOrEqualTo(1_500);
        assertThat(tree.directories()).isEqualTo(21);
        assertThat(tree.filesIn(20)).isEqualTo(500);
        assertThat(tree.here()).isEqualTo(FsPath.of("/b/large-0"));
        tree.hasMoved();
        assertThat(tree.here()).isEqualTo(FsPath.of("/b/large-1"));
        assertThat(tree.there()).isEqualTo(FsPath.of("/b/large-0"));
    }
}
