package io.lambdafs.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class Utf8OrderTest {
    private static final List<String> NAMES = List.of(
            "",
            "a",
            "ab",
            "b",
            "\u007f",
            "\u0080",
            "\u07ff",
            "\u0800",
            "\ud7ff",
            "\ue000",
            "\uffff",
            "a\ue000",
            "a\ud800\udc00",
            "\ud800\udc00",
            "\ud800\udc01",
            "\udbff\udfff");

    @Test
    void shouldOrderStringsAsTheirBytesAre() {
        for (String a : NAMES) {
            for (String b : NAMES) {
                int bytes =
                        Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
                assertThat(Integer.signum(Utf8Order.compare(a, b)))
                        .as("%s, %s", a, b)
                        .isEqualTo(Integer.signum(bytes));
            }
        }
    }
}
