package io.lambdafs.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The patches that {@code ./lambdafs test --planted-stores} and its like try by tests that must miss what they take away fit the sources. */
class PlantedStoreBugsTest {
    private static final String CAUGHT = "Caught by ";

    @ParameterizedTest
    @CsvSource({"planted-stores, 6", "planted-blocks, 10", "planted-doors, 9"})
    void shouldHavePatchesThatFitTheSourcesAndNameATestThatThereIs(String folder, int least) throws IOException {
        PlantedPatches patches = new PlantedPatches(folder, List.of("all"));
        patches.assertAllFit(least);
        for (Path patch : patches.all()) {
            String line = Files.readAllLines(patch).get(1);
            assertThat(line).as("%s", patch).startsWith(CAUGHT);
            String[] words = line.substring(CAUGHT.length()).split(" ");
            try (var tests =
                    Files.walk(PlantedPatches.CHECKOUT.resolve(words[0]).resolve("src/test"))) {
                assertThat(tests.map(each -> each.getFileName().toString()))
                        .as("%s", patch)
                        .contains(words[1] + ".java");
            }
        }
    }
}
