package io.lambdafs.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each patch in {@code src/test/extensions} adds something that is often added: an attribute of files, an operation. It
 * may touch few main files; with it everything compiles, and its probe sees it work in a cluster.
 */
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

    /** A checkout that has a patch applied, as CONTRIBUTING.md suggests, cannot take it twice. */
    @BeforeEach
    void skipWhereOneIsApplied() {
        for (String probe : List.of("AttributeProbe", "OperationProbe")) {
            assumeThat(CHECKOUT.resolve("testing/src/test/java/io/lambdafs/testing/simulation/" + probe + ".java"))
                    .doesNotExist();
        }
    }

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

    private static String existing(String file) throws IOException {
        Path path = CHECKOUT.resolve(file);
        return Files.exists(path) ? Files.readString(path) : "";
    }

    /** Other tests that a patch changes belong to modules of their own: here it must only fit them. */
    private static boolean isCompiled(String file) {
        return file.contains("/src/main/") || file.endsWith("Probe.java");
    }

    @Test
    void shouldCompileAndWorkWithBoth() throws Exception {
        Map<String, String> sources = mainSources();
        for (String name : PATCHES) {
            UnifiedDiff diff = patch(name);
            for (String file : diff.files()) {
                String changed = diff.apply(file, sources.getOrDefault(file, existing(file)));
                if (isCompiled(file)) {
                    sources.put(file, changed);
                }
            }
        }

        try (PatchedCode code = PatchedCode.compile(sources, folder)) {
            code.run("io.lambdafs.testing.simulation.AttributeProbe");
            code.run("io.lambdafs.testing.simulation.OperationProbe");
        }
    }
}
