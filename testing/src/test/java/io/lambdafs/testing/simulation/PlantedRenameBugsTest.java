package io.lambdafs.testing.simulation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * HDFS's legacy rename, under the seeds that know it. Each patch in {@code src/test/planted-rename} removes one of its rules, and {@link Simulation} must notice.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PlantedRenameBugsTest {
    private static final int SEEDS = 20;
    private static final PlantedPatches PATCHES = PlantedPatches.of("planted-rename", "lambdafs.planted.rename", "all");

    @TempDir
    static Path folder;

    @TestFactory
    Stream<DynamicTest> shouldFindEveryPlantedBug() throws IOException {
        return PATCHES.tests(Simulation.class, Simulation.WITHOUT_LEGACY + 1, SEEDS, folder);
    }
}
