package io.lambdafs.store.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows as bytes: what is stored of them, and how large they are said to be. */
class RowColumnsTest {
    static Stream<Row> rows() {
        Row instance = new Row(Rows.instanceKey(Long.MAX_VALUE), -1L, "λ".repeat(30), 5L);
        return Stream.of(
                instance,
                new Row(Rows.instanceKey(7), 1L, "i", 5L, 2L),
                instance.withUnknown(new byte[300]),
                new Row(Schema.SETTINGS.key("\u20ac".repeat(400)), "\u20ac".repeat(400)),
                new Row(Schema.SMALL_FILES.key(-1L, Long.MIN_VALUE), (Object) new byte[3_000]));
    }

    private static byte[] bytes(Row row) {
        WireWriter out = new WireWriter();
        RowColumns.write(out, row, 0);
        return out.toByteArray();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void shouldReadWhatItWrote(Row row) {
        assertThat(RowColumns.read(row.key(), new WireReader(bytes(row)))).isEqualTo(row);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void shouldCountNoFewerBytesThanARowTakes(Row row) {
        WireWriter out = new WireWriter();
        RowWire.writeRow(out, row);

        assertThat(row.estimatedBytes()).isBetween(out.size(), out.size() + 200);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void shouldReadWhatIsBehindTheColumnsItKnowsAndKeepIt(Row row) {
        Row whole = row.withUnknown(new byte[] {1, 2});
        byte[] bytes = bytes(whole);

        Row read = RowColumns.read(row.key(), new WireReader(bytes));

        assertThat(read).isEqualTo(whole);
        assertThat(bytes(read)).isEqualTo(bytes);
        assertThat(Arrays.copyOfRange(bytes, bytes.length - 2, bytes.length)).containsExactly(1, 2);
    }
}
