package io.lambdafs.cluster.trash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/** Ages, as {@code trash purge --older-than} takes them and {@code trash list} prints them. */
class AgeTest {
    @ParameterizedTest
    @CsvSource({"0m, PT0S, 0m", "90m, PT1H30M, 90m", "150m, PT2H30M, 2h", "47h, PT47H, 47h", "7d, PT168H, 7d"})
    void shouldReadAndPrint(String text, Duration duration, String printed) {
        Age age = new Age.Converter().convert(text);
        assertThat(age.duration()).isEqualTo(duration);
        assertThat(age).hasToString(printed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "7", "d", "-1d", "1w", "1.5h", "9999999d", "1h30m"})
    void shouldRefuse(String text) {
        assertThatThrownBy(() -> new Age.Converter().convert(text)).isInstanceOf(TypeConversionException.class);
    }
}
