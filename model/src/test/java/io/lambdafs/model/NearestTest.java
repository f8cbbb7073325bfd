package io.lambdafs.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {
    private static final List<String> KNOWN = List.of("deployments", "listen", "ports", "pool", "instance");

    @ParameterizedTest
    @CsvSource({"deployment,deployments", "Listen,listen", "port,ports", "poool,pool", "instnace,instance", "pol,pool"})
    void shouldFindTheLeastEditDistance(String word, String meant) {
        assertThat(Nearest.of(word, KNOWN)).contains(meant);
    }

    @Test
    void shouldFindNothingAmongNothing() {
        assertThat(Nearest.of("x", List.of())).isEmpty();
    }
}
