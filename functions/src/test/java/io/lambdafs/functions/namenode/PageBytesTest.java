package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.INode;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageBytesTest {
    private static int of(String name, String owner) {
        return PageBytes.of(INode.directory(1, name, 2, owner, "", 0755, 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "é", "中", "a-é-中"})
    void shouldCountTheBytesOfNamesAndOwners(String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        assertThat(of(text, "") - of("", "")).isEqualTo(bytes);
        assertThat(of(text, text) - of(text, "")).isEqualTo(bytes);
    }

    @Test
    void shouldNotCountTooFewForWhatJavaKeepsInTwo() {
        assertThat(of("😀", "") - of("", "")).isGreaterThanOrEqualTo("😀".getBytes(StandardCharsets.UTF_8).length);
    }
}
