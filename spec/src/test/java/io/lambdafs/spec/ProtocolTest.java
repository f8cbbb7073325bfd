package io.lambdafs.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The full protocol keeps its invariants in every configuration beside the modules. */
class ProtocolTest {
    /** How the names of larger configurations end. */
    static final String LARGE = "-large";

    @ParameterizedTest
    @MethodSource("small")
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldKeepEveryInvariant(String configuration) throws Exception {
        assertHolds(new Tlc(Tlc.LIMIT).check(configuration));
    }

    /** Minutes each: {@code ./lambdafs test --model}. */
    @ParameterizedTest
    @MethodSource("large")
    @EnabledIfSystemProperty(named = "lambdafs.model", matches = "large")
    @Timeout(value = 61, unit = TimeUnit.MINUTES)
    void shouldKeepEveryInvariantOfLargerConfigurations(String configuration) throws Exception {
        assertHolds(new Tlc(Duration.ofMinutes(60)).check(configuration));
    }

    private static void assertHolds(Tlc.Verdict verdict) {
        assertThat(verdict.outcome()).as("%s", verdict).isEqualTo(Tlc.Outcome.HOLDS);
        assertThat(verdict.states()).as("distinct states").isGreaterThan(100);
    }

    static List<String> small() throws IOException {
        return configurations().filter(name -> !name.endsWith(LARGE)).toList();
    }

    static List<String> large() throws IOException {
        return configurations().filter(name -> name.endsWith(LARGE)).toList();
    }

    private static Stream<String> configurations() throws IOException {
        try (Stream<Path> files = Files.list(Tlc.MODEL)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".cfg"))
                    .map(name -> name.substring(0, name.length() - ".cfg".length()))
                    .sorted()
                    .toList()
                    .stream();
        }
    }
}
