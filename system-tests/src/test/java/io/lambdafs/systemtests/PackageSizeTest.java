package io.lambdafs.systemtests;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A package of main code has at most 20 top-level classes, so that a reader can survey it. */
@Tag("once")
class PackageSizeTest {
    private static final int MOST_CLASSES = 20;

    /** Packages that are larger, with their sizes: none grows, and each leaves this list once it is small enough. */
    private static final Map<String, Integer> LARGER = Map.of("io.lambdafs.functions.namenode", 56);

    @Test
    void shouldKeepPackagesSmall() throws IOException {
        Map<String, Integer> sizes = sizes();
        assertThat(sizes).hasSizeGreaterThan(100);

        assertThat(violations(sizes, LARGER)).isEmpty();
    }

    @Test
    void shouldNoticeLargePackagesAndStaleExceptions() {
        Map<String, Integer> sizes = Map.of("small", 20, "large", 21, "asBefore", 30, "grown", 31, "nowSmall", 20);

        assertThat(violations(sizes, Map.of("asBefore", 30, "grown", 30, "nowSmall", 30, "gone", 30)))
                .containsOnly(
                        entry("large", "21 classes instead of 20"),
                        entry("grown", "31 classes instead of 30"),
                        entry("nowSmall", "needs no exception"),
                        entry("gone", "needs no exception"));
    }

    private static Map<String, String> violations(Map<String, Integer> sizes, Map<String, Integer> larger) {
        Map<String, String> violations = new TreeMap<>();
        sizes.forEach((name, size) -> {
            int most = larger.getOrDefault(name, MOST_CLASSES);
            if (size > most) {
                violations.put(name, size + " classes instead of " + most);
            }
        });
        larger.keySet().stream()
                .filter(name -> sizes.getOrDefault(name, 0) <= MOST_CLASSES)
                .forEach(name -> violations.put(name, "needs no exception"));
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
