package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.FsException;
import io.lambdafs.store.Column;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Table;
import io.lambdafs.store.engine.Deltas;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows that two versions of a table share, the later one with two columns more. */
class EvolvingRowsTest {
    private static final Column SIZE = Column.int64("size");
    private static final Table BEFORE = new Table(200, "t", 1, List.of(Column.int64("id")), List.of(SIZE));
    private static final Table NOW = new Table(
            200,
            "t",
            1,
            List.of(Column.int64("id")),
            List.of(
                    SIZE,
                    Column.string("policy").orElse("hot"),
                    Column.int64("generation").orElse(0L)));

    private static Row read(Table table, Row row) {
        return RowBytes.read(table.key(1L), RowBytes.of(row));
    }

    @Test
    void shouldReadDefaultsWhereARowHasFewerColumns() {
        assertThat(read(NOW, new Row(BEFORE.key(1L), 7L))).isEqualTo(new Row(NOW.key(1L), 7L, "hot", 0L));
    }

    @Test
    void shouldWriteRowsOfDefaultsAsTheEarlierVersionDid() {
        Row later = new Row(NOW.key(1L), 7L, "hot", 0L);
        assertThat(RowBytes.of(later)).isEqualTo(RowBytes.of(new Row(BEFORE.key(1L), 7L)));
        assertThat(RowBytes.of(new Row(NOW.key(1L), 7L, "cold", 0L)))
                .hasSizeLessThan(RowBytes.of(new Row(NOW.key(1L), 7L, "cold", 1L)).length);
    }

    @Test
    void shouldKeepColumnsThatItDoesNotKnow() {
        Row later = new Row(NOW.key(1L), 7L, "cold", 3L);
        Row seenBefore = read(BEFORE, later);
        assertThat(seenBefore.int64(0)).isEqualTo(7);

        Row changedBefore = Deltas.apply(
                seenBefore,
                new Mutation.Merge(BEFORE.key(1L), List.of(new Mutation.Delta(0, Mutation.Delta.Kind.ADD, 1))));

        assertThat(read(NOW, changedBefore)).isEqualTo(new Row(NOW.key(1L), 8L, "cold", 3L));
    }

    @Test
    void shouldRefuseARowCutShort() {
        byte[] bytes = RowBytes.of(new Row(NOW.key(1L), 7L, "cold", 300L));
        byte[] cut = java.util.Arrays.copyOf(bytes, bytes.length - 1);
        assertThatThrownBy(() -> RowBytes.read(NOW.key(1L), cut)).isInstanceOf(FsException.class);
        assertThatThrownBy(() -> RowBytes.read(NOW.key(1L), new byte[] {1})).isInstanceOf(FsException.class);
    }

    @Test
    void shouldOnlyTakeNewColumnsAtTheEnd() {
        assertThatThrownBy(() -> new Table(
                        201,
                        "t",
                        1,
                        List.of(Column.int64("id")),
                        List.of(Column.string("policy").orElse("hot"), SIZE)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SIZE.orElse("many")).isInstanceOf(IllegalArgumentException.class);
    }
}
