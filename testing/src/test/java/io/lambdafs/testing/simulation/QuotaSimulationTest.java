package io.lambdafs.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.testing.simulation.quotas.QuotaSimulation;
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
 * Quotas, in simulated time. Each patch in {@code src/test/planted-quotas} takes a part of their rules away, and {@link QuotaSimulation} must notice.
 * {@code -Dlambdafs.planted.quotas=all} tries all, which takes a minute or two; ordinarily one is tried, and the others must only fit the sources.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class QuotaSimulationTest {
    private static final long FIRST_SEED = 1;
    private static final int SEEDS = 20;
    private static final long SOUND_SEEDS = Long.getLong("lambdafs.simulate.quotas", 4);
    private static final PlantedPatches PATCHES =
            PlantedPatches.of("planted-quotas", "lambdafs.planted.quotas", "plain-add");

    @TempDir
    static Path folder;

    /** PROTOCOL: Q1, Q2, Q3, I11. */
    @Test
    void shouldNeverChargeMoreThanALimitNorLessThanNothing() {
        long admitted = 0;
        long refused = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SOUND_SEEDS; seed++) {
            QuotaSimulation.Outcome outcome = QuotaSimulation.run(seed);
            assertThat(outcome.violation()).as("seed %d", seed).isNull();
            admitted += outcome.admitted();
            refused += outcome.refused();
        }
        System.out.println(admitted + " admitted, " + refused + " refused");
        assertThat(refused).as("refused beside %d", admitted).isGreaterThan(admitted / 4);
        assertThat(admitted).as("admitted beside %d", refused).isGreaterThan(refused / 4);
    }

    @Test
    void shouldHavePatchesThatAllFitTheSources() throws IOException {
        PATCHES.assertAllFit(6);
    }

    @TestFactory
    Stream<DynamicTest> shouldFindEveryPlantedBug() throws IOException {
        return PATCHES.tests(QuotaSimulation.class, FIRST_SEED, SEEDS, folder);
    }
}
