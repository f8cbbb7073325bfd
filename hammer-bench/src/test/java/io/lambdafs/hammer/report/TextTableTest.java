package io.lambdafs.hammer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TextTableTest {
    @Test
    void shouldAlignTextsLeftAndNumbersRight() {
        String table = new TextTable<Map.Entry<String, Double>>()
                .left("op", 6, Map.Entry::getKey)
                .number("ops/s", 9, "%,.1f", Map.Entry::getValue)
                .gap(3)
                .right("note", 5, each -> each.getValue() > 1_000 ? "fast" : "")
                .of(List.of(Map.entry("stat", 12_345.67), Map.entry("create", 8.0)));

        assertThat(table).isEqualTo("""
                op         ops/s    note
                stat    12,345.7    fast
                create       8.0
                """);
    }
}
