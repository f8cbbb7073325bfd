package io.lambdafs.model.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.FsPath;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementTest {
    /** Directories as users have them: few names, many alike. */
    private static List<FsPath> directories(int count) {
        Random random = new Random(99);
        Set<FsPath> directories = new HashSet<>();
        while (directories.size() < count) {
            directories.add(FsPath.of("/user/u" + random.nextInt(300) + "/job-" + random.nextInt(1_000)
                    + (random.nextBoolean() ? "/part" : "/part/" + random.nextInt(50))));
        }
        return List.copyOf(directories);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 8, 16, 20, 64})
    void shouldSpreadDirectoriesEvenly(int deployments) {
        Placement placement = new Placement(deployments);
        List<FsPath> directories = directories(40_000);
        int[] counts = new int[deployments];

        directories.forEach(directory -> counts[placement.ofChildren(directory)]++);

        // Six standard deviations of a fair draw.
        double mean = (double) directories.size() / deployments;
        double tolerance = 6 * Math.sqrt(mean) + 1;
        assertThat(IntStream.of(counts))
                .allSatisfy(count -> assertThat((double) count).isBetween(mean - tolerance, mean + tolerance));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 7, 19, 64})
    void shouldMoveOnlyToTheNewcomerWhenADeploymentIsAdded(int deployments) {
        Placement before = new Placement(deployments);
        Placement after = new Placement(deployments + 1);
        List<FsPath> directories = directories(20_000);

        List<FsPath> moved = directories.stream()
                .filter(d -> before.ofChildren(d) != after.ofChildren(d))
                .toList();

        assertThat(moved).allSatisfy(d -> assertThat(after.ofChildren(d)).isEqualTo(deployments));
        double expected = (double) directories.size() / (deployments + 1);
        assertThat((double) moved.size())
                .isBetween(expected - 6 * Math.sqrt(expected), expected + 6 * Math.sqrt(expected));
    }

    @Test
    void shouldRouteCacheAndInvalidateByOneFunction() {
        Placement placement = new Placement(7);
        for (FsPath directory : directories(500)) {
            FsPath child = directory.child("f");
            int owner = placement.ofChildren(directory);

            assertThat(placement.owner(child)).isEqualTo(owner);
            assertThat(placement.of(new ReadOperation.Stat(child))).isEqualTo(owner);
            assertThat(placement.of(new ReadOperation.Open(child))).isEqualTo(owner);
            assertThat(placement.of(new NamespaceOperation.Delete(child, true))).isEqualTo(owner);
            assertThat(placement.of(new NamespaceOperation.Rename(child, FsPath.of("/x"), Operation.RenameMode.INTO)))
                    .isEqualTo(owner);
            assertThat(placement.of(new ReadOperation.ListPage(directory, "", 1)))
                    .isEqualTo(owner);
            assertThat(placement.of(new ReadOperation.Stat(directory))).isEqualTo(placement.owner(directory));
        }
    }

    @Test
    void shouldPlaceTheRootWithItsChildren() {
        Placement placement = new Placement(5);

        assertThat(placement.owner(FsPath.ROOT)).isEqualTo(placement.ofChildren(FsPath.ROOT));
        assertThat(placement.owner(FsPath.of("/a"))).isEqualTo(placement.ofChildren(FsPath.ROOT));
    }

    /** A change of the function would send every client of an existing file system astray. */
    @ParameterizedTest
    @CsvSource({"/,0,10", "/user,3,8", "/user/ann,3,6", "/data/2024/06/01,2,10", "/ü/漢字,3,16"})
    void shouldNeverChange(String directory, int ofFour, int ofTwenty) {
        assertThat(new Placement(4).ofChildren(FsPath.of(directory))).isEqualTo(ofFour);
        assertThat(new Placement(20).ofChildren(FsPath.of(directory))).isEqualTo(ofTwenty);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Placement.MAX_DEPLOYMENTS + 1, Integer.MAX_VALUE})
    void shouldRefuseImpossibleNumbersOfDeployments(int deployments) {
        assertThatThrownBy(() -> new Placement(deployments))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Integer.toString(deployments));
    }
}
