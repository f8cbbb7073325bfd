package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every program of the launcher has a logger at run time. Its version is managed with the scope {@code test}, so a
 * module that names it not gets none
 * through the modules that it is built on, although its tests have one.
 */
class LauncherClassPathTest {
    private static final Pattern LOGGER =
            Pattern.compile("logback-classic</artifactId>\\s*<scope>(compile|runtime)</scope>");

    @ParameterizedTest
    @ValueSource(strings = {"cli", "examples"})
    void shouldHaveALogger(String module) throws IOException {
        assertThat(List.of(Files.readString(Path.of("..", module, "pom.xml"))))
                .allMatch(pom -> LOGGER.matcher(pom).find());
    }
}
