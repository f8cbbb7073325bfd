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
 * A machine far too busy, in simulated time: slow, never stuck. Each patch in {@code src/test/planted-slow} takes a part of the rule for
 * that away, and {@link SlowSimulation} must notice.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SlowMachineTest {
    private static final long FIRST_SEED = 1;
    private static final int SEEDS = 12;
    private static final PlantedPatches PATCHES = PlantedPatches.of("planted-slow", "lambdafs.planted.slow", "all");

    @TempDir
    static Path folder;

    /** PROTOCOL: E1. */
    @Test
    void shouldGoOnToAnswerOnAMachineThatIsFarTooBusy() {
        long succeeded = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            SlowSimulation.Outcome outcome = SlowSimulation.run(seed);
            System.out.println("seed " + seed + ": " + outcome);
            assertThat(outcome.violation()).as("seed %d", seed).isNull();
            succeeded += outcome.succeeded();
        }
        assertThat(succeeded).as("operations that succeeded").isGreaterThan(SEEDS * 10L);
    }

    @Test
    void shouldHavePatchesThatAllFitTheSources() throws IOException {
        PATCHES.assertAllFit(2);
    }

    @TestFactory
    Stream<DynamicTest> shouldFindEveryPlantedBug() throws IOException {
        return PATCHES.tests(SlowSimulation.class, FIRST_SEED, SEEDS, folder);
    }
}
