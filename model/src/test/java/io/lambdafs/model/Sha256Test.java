package io.lambdafs.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class Sha256Test {
    /** As FIPS 180-4's example says. */
    @Test
    void shouldDigestAsTheStandardSays() {
        assertThat(Sha256.hex("abc")).isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assertThat(Sha256.of("λ"))
                .isEqualTo(Sha256.of("λ".getBytes(StandardCharsets.UTF_8)))
                .hasSize(32);
    }
}
