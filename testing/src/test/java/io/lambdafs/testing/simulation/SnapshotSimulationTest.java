package io.lambdafs.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.testing.simulation.snapshots.SnapshotSimulation;
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
 * Snapshots, in simulated time. Each patch in {@code src/test/planted-snapshots} takes a part of their rules away, and {@link SnapshotSimulation} must
 * notice. {@code -Dlambdafs.planted.snapshots=all} tries all, which takes some minutes; ordinarily one is tried, and the others must only fit the sources.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SnapshotSimulationTest {
    private static final long FIRST_SEED = 1;
    private static final int SEEDS = 20;
    private static final long SOUND_SEEDS = Long.getLong("lambdafs.simulate.snapshots", 4);
    private static final PlantedPatches PATCHES =
            PlantedPatches.of("planted-snapshots", "lambdafs.planted.snapshots", "create-without-drain");

    @TempDir
    static Path folder;

    /** PROTOCOL: V1, V2, V3, V4, V5, V6, I12. */
    @Test
    void shouldAlwaysSeeWhatWasThere() {
        long made = 0;
        long compared = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SOUND_SEEDS; seed++) {
            SnapshotSimulation.Outcome outcome = SnapshotSimulation.run(seed);
            assertThat(outcome.violation()).as("seed %d", seed).isNull();
            made += outcome.made();
            compared += outcome.compared();
        }
        System.out.println(made + " snapshots made, " + compared + " answers compared");
        assertThat(made).isGreaterThan(4 * SOUND_SEEDS);
        assertThat(compared).isGreaterThan(40 * SOUND_SEEDS);
    }

    @Test
    void shouldHavePatchesThatAllFitTheSources() throws IOException {
        PATCHES.assertAllFit(11);
    }

    @TestFactory
    Stream<DynamicTest> shouldFindEveryPlantedBug() throws IOException {
        return PATCHES.tests(SnapshotSimulation.class, FIRST_SEED, SEEDS, folder);
    }
}
