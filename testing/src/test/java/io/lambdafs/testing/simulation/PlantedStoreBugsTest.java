package io.lambdafs.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The patches in {@code src/test/planted-stores}, which {@code ./lambdafs test --planted-stores} tries on PostgreSQL and NDB, fit the sources. */
@Tag("once")
class PlantedStoreBugsTest {
    private static final String CAUGHT = "Caught by ";
    private static final PlantedPatches PATCHES = PlantedPatches.of("planted-stores", "lambdafs.planted.stores", "all");

    @Test
    void shouldHavePatchesThatFitTheSourcesAndNameATestThatThereIs() throws IOException {
        PATCHES.assertAllFit(6);
        for (Path patch : PATCHES.all()) {
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
