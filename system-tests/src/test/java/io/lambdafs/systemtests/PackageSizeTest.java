package io.lambdafs.systemtests;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A package of main code has at most 20 top-level classes, so that a reader can survey it. */
class PackageSizeTest {
    private static final int MOST_CLASSES = 20;

    @Test
    void shouldKeepPackagesSmall() throws IOException {
        Map<String, Integer> sizes = sizes();
        assertThat(sizes).hasSizeGreaterThan(100);

        assertThat(violations(sizes)).isEmpty();
    }

    @Test
    void shouldNoticeALargePackage() {
        assertThat(violations(Map.of("small", MOST_CLASSES, "large", MOST_CLASSES + 1)))
                .containsOnly(entry("large", MOST_CLASSES + 1));
    }

    /** Returns the packages with too many classes, and how many they have. */
    private static Map<String, Integer> violations(Map<String, Integer> sizes) {
        Map<String, Integer> violations = new TreeMap<>(sizes);
        violations.values().removeIf(size -> size <= MOST_CLASSES);
        return violations;
    }

    /** Returns the number of source files of each package. */
    private static Map<String, Integer> sizes() throws IOException {
        Map<String, Integer> sizes = new TreeMap<>();
        for (String folder : Reactor.folders()) {
            Path sources = Path.of("..", folder, "src", "main", "java");
            if (Files.isDirectory(sources)) {
                try (Stream<Path> files = Files.walk(sources)) {
                    files.filter(PackageSizeTest::isClass)
                            .map(file -> sources.relativize(file.resolveSibling(""))
                                    .toString()
                                    .replace('/', '.'))
                            .forEach(name -> sizes.merge(name, 1, Integer::sum));
                }
            }
        }
        return sizes;
    }

    private static boolean isClass(Path file) {
        return file.toString().endsWith(".java") && !file.endsWith("package-info.java");
    }
}
