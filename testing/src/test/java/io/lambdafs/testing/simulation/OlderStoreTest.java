package io.lambdafs.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store that comes back older, in simulated time. Each patch in {@code src/test/planted-older} takes a part of the rules for that away, and {@link OlderStoreSimulation} must notice.
 * {@code -Dlambdafs.planted.older=all} tries all, which takes a minute; ordinarily one is tried, and the others must only fit the sources.
 */
@Tag("once")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class OlderStoreTest {
    private static final Path CHECKOUT = Path.of("").toAbsolutePath().getParent();
    private static final long FIRST_SEED = 1;
    private static final int SEEDS = 30;
    private static final int SOUND_SEEDS = 6;
    private static final List<String> CHOSEN = Arrays.asList(
            System.getProperty("lambdafs.planted.older", "renewal-unconfirmed").split(","));

    @TempDir
    static Path folder;

    private static List<Path> patches() throws IOException {
        try (Stream<Path> all = Files.list(CHECKOUT.resolve("testing/src/test/planted-older"))) {
            return all.sorted().toList();
        }
    }

    private static String name(Path patch) {
        return patch.getFileName().toString().replace(".patch", "");
    }

    private static Map<String, String> patched(Path patch) throws IOException {
        UnifiedDiff diff = UnifiedDiff.read(patch);
        Map<String, String> sources = new LinkedHashMap<>();
        for (String file : diff.files()) {
            String source = Files.readString(CHECKOUT.resolve(file));
            sources.put(file, diff.apply(file, source));
            assertThat(sources.get(file)).as("%s", patch).isNotEqualTo(source);
        }
        return sources;
    }

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
        assertThat(patches()).hasSizeGreaterThanOrEqualTo(3);
        for (Path patch : patches()) {
            assertThat(patched(patch)).isNotEmpty();
        }
    }

    @TestFactory
    Stream<DynamicTest> shouldFindEveryPlantedBug() throws IOException {
        return patches().stream()
                .filter(patch -> CHOSEN.contains("all") || CHOSEN.contains(name(patch)))
                .map(patch -> DynamicTest.dynamicTest(name(patch), () -> {
                    long seed;
                    try (PatchedCode code = PatchedCode.compile(patched(patch), folder.resolve(name(patch)))) {
                        seed = code.firstFailing(OlderStoreSimulation.class, FIRST_SEED, SEEDS);
                    }
                    assertThat(seed).as("%s: no seed finds it", name(patch)).isNotNegative();
                    System.out.println("planted " + name(patch) + " is caught under seed " + seed);
                }));
    }
}
