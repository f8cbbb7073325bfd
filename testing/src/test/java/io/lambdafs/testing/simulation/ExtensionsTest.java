package io.lambdafs.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each patch in {@code src/test/extensions} adds something of a kind that often comes: an attribute of files, an operation. It may touch
 * few main files; with it everything compiles, and the probe that it brings sees it at work in a cluster.
 */
@Tag("once")
@Timeout(120)
class ExtensionsTest {
    private static final Path CHECKOUT = Path.of("").toAbsolutePath().getParent();
    private static final Map<String, Integer> MOST_MAIN_FILES = Map.of("operation", 4, "attribute", 5);
    /** Whatever the simulation is built from. */
    private static final List<String> MODULES =
            List.of("model", "rpc", "store", "coordinator", "functions", "client-lib/core", "platform", "testing");

    private static final List<String> PATCHES = List.of("attribute", "operation");

    @TempDir
    Path folder;

    private static UnifiedDiff patch(String name) throws IOException {
        return UnifiedDiff.read(CHECKOUT.resolve("testing/src/test/extensions/" + name + ".patch"));
    }

    private static Map<String, String> mainSources() throws IOException {
        Map<String, String> sources = new LinkedHashMap<>();
        for (String module : MODULES) {
            Path root = CHECKOUT.resolve(module).resolve("src/main/java");
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    sources.put(CHECKOUT.relativize(file).toString(), Files.readString(file));
                }
            }
        }
        return sources;
    }

    @Test
    void shouldTouchFewMainFilesForAnAttributeOrAnOperation() throws IOException {
        for (String name : PATCHES) {
            assertThat(patch(name).files().stream().filter(file -> file.contains("/src/main/")))
                    .as("main files that %s.patch touches", name)
                    .hasSizeBetween(1, MOST_MAIN_FILES.get(name));
        }
    }

    @Test
    void shouldCompileAndWorkWithBoth() throws Exception {
        Map<String, String> sources = mainSources();
        for (String name : PATCHES) {
            UnifiedDiff diff = patch(name);
            for (String file : diff.files()) {
                sources.put(file, diff.apply(file, sources.getOrDefault(file, "")));
            }
        }

        try (PatchedCode code = PatchedCode.compile(sources, folder)) {
            code.run("io.lambdafs.testing.simulation.AttributeProbe");
            code.run("io.lambdafs.testing.simulation.OperationProbe");
        }
    }
}
