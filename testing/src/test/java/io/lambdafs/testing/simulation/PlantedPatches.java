package io.lambdafs.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** The patches of a folder of {@code testing/src/test}, each of which plants a bug, and those of them that are to be tried. */
record PlantedPatches(String folder, List<String> chosen) {
    static final Path CHECKOUT = Path.of("").toAbsolutePath().getParent();
    private static final String ALL = "all";
    private static final String SUFFIX = ".patch";

    /** @param ordinarily names with commas between, where the property has none; {@code all} for all */
    static PlantedPatches of(String folder, String property, String ordinarily) {
        return new PlantedPatches(
                folder, List.of(System.getProperty(property, ordinarily).split(",")));
    }

    static String name(Path patch) {
        return patch.getFileName().toString().replace(SUFFIX, "");
    }

    List<Path> all() throws IOException {
        try (Stream<Path> files =
                Files.list(CHECKOUT.resolve("testing/src/test").resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(SUFFIX))
                    .sorted()
                    .toList();
        }
    }

    List<Path> tried() throws IOException {
        return all().stream()
                .filter(patch -> chosen.contains(ALL) || chosen.contains(name(patch)))
                .toList();
    }

    /** Each must fit the sources, and change every file that it names. */
    void assertAllFit(int least) throws IOException {
        List<Path> all = all();
        assertThat(all).hasSizeGreaterThanOrEqualTo(least);
        for (Path patch : all) {
            assertThat(patched(patch)).as("%s", name(patch)).isNotEmpty();
        }
    }

    /** One test for each that is tried: a seed must find it. */
    Stream<DynamicTest> tests(Class<?> scenario, long firstSeed, int seeds, Path work) throws IOException {
        return tried().stream()
                .map(patch -> DynamicTest.dynamicTest(name(patch), () -> {
                    long seed;
                    try (PatchedCode code = PatchedCode.compile(patched(patch), work.resolve(name(patch)))) {
                        seed = code.firstFailing(scenario, firstSeed, seeds);
                    }
                    assertThat(seed).as("%s: no seed finds it", name(patch)).isNotNegative();
                    System.out.println("planted " + name(patch) + " is caught under seed " + seed);
                }));
    }

    private static Map<String, String> patched(Path patch) throws IOException {
        UnifiedDiff diff = UnifiedDiff.read(patch);
        Map<String, String> sources = new LinkedHashMap<>();
        for (String file : diff.files()) {
            String source = Files.readString(CHECKOUT.resolve(file));
            sources.put(file, diff.apply(file, source));
            assertThat(sources.get(file)).as("%s", name(patch)).isNotEqualTo(source);
        }
        return sources;
    }
}
