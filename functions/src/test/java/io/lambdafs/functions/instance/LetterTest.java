package io.lambdafs.functions.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LetterTest {
    private static InputStream of(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldReadVariablesAndNothingAfterThem() throws Exception {
        InputStream in = of("A=1\0B=a=ü\nb\0EMPTY=\0\0later");
        assertThat(Letter.read(in))
                .containsEntry("A", "1")
                .containsEntry("B", "a=ü\nb")
                .containsEntry("EMPTY", "")
                .hasSize(3);
        assertThat(in.read()).isEqualTo('l');
    }

    @Test
    void shouldRefuseWhatIsNoLetter() {
        assertThatThrownBy(() -> Letter.read(of(""))).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> Letter.read(of("A=1\0"))).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> Letter.read(of("=1\0\0"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> Letter.read(of("x".repeat(Letter.MAX_BYTES + 1))))
                .hasMessageContaining("at most");
    }
}
