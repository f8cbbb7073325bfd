package io.lambdafs.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each patch in {@code src/test/planted} takes one rule of the protocol away. The same scenario, over the same seeds, must go wrong with
 * each of them, and must not with none. Ordinarily those are tried that fall soon, one of each kind, and the others only must fit the
 * sources; {@code -Dlambdafs.planted=all} tries all over more seeds, {@code -Dlambdafs.planted=no-lease-check,crossing-renames} these alone.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class PlantedBugsTest {
    private static final long FIRST_SEED = 1;
    private static final String SOON =
            "ack-before-invalidate,commit-before-acks,fill-without-lock,inv-to-wrong-deployment,"
                    + "join-without-handshake,mixed-versions,no-fill-ticket,overwrite-without-write,slot-outside-transaction";
    private static final PlantedPatches PATCHES = PlantedPatches.of("planted", "lambdafs.planted", SOON);

    private static final int SEEDS = System.getProperty("lambdafs.planted") == null ? 12 : 120;

    private static final Map<String, Future<Long>> FOUND = new TreeMap<>();
    private static final Map<String, String> SEEDS_TO_FIND = new ConcurrentHashMap<>();
    private static final ExecutorService RUNS =
            Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());

    @TempDir
    static Path folder;

    private static Future<Long> sound;

    @BeforeAll
    static void start() throws IOException {
        Map<String, String> unpatched = new LinkedHashMap<>();
        for (Path patch : PATCHES.tried()) {
            UnifiedDiff diff = UnifiedDiff.read(patch);
            Map<String, String> changed = new LinkedHashMap<>();
            for (String file : diff.files()) {
                String source = Files.readString(PlantedPatches.CHECKOUT.resolve(file));
                unpatched.put(file, source);
                changed.put(file, source);
            }
            FOUND.put(PlantedPatches.name(patch), RUNS.submit(() -> {
                changed.replaceAll(diff::apply);
                long seed = run(changed, PlantedPatches.name(patch));
                SEEDS_TO_FIND.put(
                        PlantedPatches.name(patch), seed < 0 ? "not found" : Long.toString(seed - FIRST_SEED + 1));
                return seed;
            }));
        }
        sound = RUNS.submit(() -> run(unpatched, "unpatched"));
        RUNS.shutdown();
    }

    @AfterAll
    static void stop() {
        RUNS.shutdownNow();
    }

    private static long run(Map<String, String> sources, String name) throws IOException, ReflectiveOperationException {
        try (PatchedCode code = PatchedCode.compile(sources, folder.resolve(name))) {
            return code.firstFailing(Simulation.class, FIRST_SEED, SEEDS);
        }
    }

    @TestFactory
    Stream<DynamicTest> shouldFindEveryPlantedBug() throws IOException {
        return PATCHES.tried().stream()
                .map(patch -> DynamicTest.dynamicTest(
                        PlantedPatches.name(patch),
                        () -> assertThat(result(FOUND.get(PlantedPatches.name(patch))))
                                .as(
                                        "%s: no seed of %d to %d finds it",
                                        PlantedPatches.name(patch), FIRST_SEED, FIRST_SEED + SEEDS - 1)
                                .isNotNegative()));
    }

    @Test
    void shouldHaveAtLeastFifteenThatAllFitTheSources() throws IOException {
        PATCHES.assertAllFit(15);
    }

    @Test
    void shouldFindNothingInTheSameSourcesUnpatched() throws Exception {
        assertThat(result(sound)).isNegative();
    }

    private static long result(Future<Long> run) throws Exception {
        try {
            return run.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    @AfterAll
    static void report() throws Exception {
        StringBuilder table =
                new StringBuilder("| planted | what it breaks | seeds until it is caught |\n|---|---|---|\n");
        for (Path patch : PATCHES.tried()) {
            String seeds = SEEDS_TO_FIND.getOrDefault(PlantedPatches.name(patch), "–");
            table.append("| ")
                    .append(PlantedPatches.name(patch))
                    .append(" | ")
                    .append(UnifiedDiff.read(patch).description());
            table.append(" | ").append(seeds).append(" |\n");
        }
        Path report = Path.of("target", "simulation", "planted-bugs.md");
        Files.createDirectories(report.getParent());
        Files.writeString(report, table);
    }
}
