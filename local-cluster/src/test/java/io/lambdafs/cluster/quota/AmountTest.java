package io.lambdafs.cluster.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/** Numbers as Hadoop's commands take them. */
class AmountTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "17, 17", "2k, 2048", "1.5K, 1536", "3m, 3145728", "10g, 10737418240", "1t, 1099511627776"})
    void shouldRead(String text, long value) {
        assertThat(new Amount.Converter().convert(text)).isEqualTo(new Amount(value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "k", "-1", "-2k", "1x", "1kb", "99e", "9223372036854775807", "NaNk"})
    void shouldRefuse(String text) {
        assertThatThrownBy(() -> new Amount.Converter().convert(text)).isInstanceOf(TypeConversionException.class);
    }
}
