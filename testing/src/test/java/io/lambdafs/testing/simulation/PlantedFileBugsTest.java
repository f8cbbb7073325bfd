package io.lambdafs.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each patch in {@code src/test/planted-files} takes one rule of docs/FILES.md away, and {@link FileSimulation} must notice. Ordinarily one is tried, and the others must only fit
 * the sources; {@code -Dlambdafs.planted.files=all} tries all, {@code -Dlambdafs.planted.files=lease-stays} this one.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class PlantedFileBugsTest {
    private static final long FIRST_SEED = 1;
    private static final int SEEDS = 20;
    private static final int SOUND_SEEDS = 3;
    private static final PlantedPatches PATCHES =
            PlantedPatches.of("planted-files", "lambdafs.planted.files", "stale-writer-goes-on");

    @TempDir
    static Path folder;

    @Test
    void shouldFindNothingInTheSources() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SOUND_SEEDS; seed++) {
            assertThat(FileSimulation.run(seed)).as("seed %d", seed).isNull();
        }
    }

    @Test
    void shouldHaveAtLeastTenThatAllFitTheSources() throws IOException {
        PATCHES.assertAllFit(10);
    }

    @TestFactory
    Stream<DynamicTest> shouldFindEveryPlantedBug() throws IOException {
        return PATCHES.tests(FileSimulation.class, FIRST_SEED, SEEDS, folder);
    }
}
