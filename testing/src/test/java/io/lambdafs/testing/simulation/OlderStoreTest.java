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
 * A store that comes back older, in simulated time. Each patch in {@code src/test/planted-older} takes a part of the rules for that away, and {@link OlderStoreSimulation} must notice.
 * {@code -Dlambdafs.planted.older=all} tries all, which takes a minute; ordinarily one is tried, and the others must only fit the sources.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class OlderStoreTest {
    private static final long FIRST_SEED = 1;
    private static final int SEEDS = 30;
    private static final int SOUND_SEEDS = 6;
    private static final PlantedPatches PATCHES =
            PlantedPatches.of("planted-older", "lambdafs.planted.older", "renewal-unconfirmed");

    @TempDir
    static Path folder;

    /** PROTOCOL: D6, D7. */
    @Test
    void shouldAnswerWhatTheStoreHoldsThatCameBackOlder() {
        long fromCaches = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SOUND_SEEDS; seed++) {
            OlderStoreSimulation.Outcome outcome = OlderStoreSimulation.run(seed);
            assertThat(outcome.violation()).as("seed %d", seed).isNull();
            fromCaches += outcome.answersFromCaches();
        }
        assertThat(fromCaches).as("answers from caches").isGreaterThan(SOUND_SEEDS * 100L);
    }

    @Test
    void shouldHavePatchesThatAllFitTheSources() throws IOException {
        PATCHES.assertAllFit(3);
    }

    @TestFactory
    Stream<DynamicTest> shouldFindEveryPlantedBug() throws IOException {
        return PATCHES.tests(OlderStoreSimulation.class, FIRST_SEED, SEEDS, folder);
    }
}
