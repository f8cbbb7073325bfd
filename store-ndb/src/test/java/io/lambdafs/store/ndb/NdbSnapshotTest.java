package io.lambdafs.store.ndb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.engine.ReadPool;
import io.lambdafs.store.ndb.row.Pieces;
import io.lambdafs.store.ndb.row.RowScan;
import io.lambdafs.store.ndb.row.RowTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Snapshots put together of what is committed now and of what rows were before; no NDB. */
class NdbSnapshotTest {
    private final NavigableMap<Key, Row> rows = new TreeMap<>();
    private final ReadPool readers = new ReadPool(1, "rows of a test");
    private int pageRows = 2;

    @AfterEach
    void close() {
        readers.close();
    }

    private List<RowScan.Stored> page(@Nullable Key after) {
        return (after == null ? rows : rows.tailMap(after, false))
                .values().stream()
                        .limit(pageRows)
                        .map(row -> new RowScan.Stored(row.key(), new Pieces().add(RowTable.values(row))))
                        .toList();
    }

    private NdbSnapshot take(long mostBytes) {
        return new NdbSnapshot(readers, (table, after) -> page(after), closed -> {}, mostBytes);
    }

    private static Row number(String name, long value) {
        return new Row(Schema.SEQUENCES.key(name), value);
    }

    private void put(Row row, NdbSnapshot snapshot) {
        note(row.key(), snapshot);
        rows.put(row.key(), row);
    }

    private void remove(String name, NdbSnapshot snapshot) {
        Key key = Schema.SEQUENCES.key(name);
        note(key, snapshot);
        rows.remove(key);
    }

    private void note(Key key, NdbSnapshot snapshot) {
        Map<Key, Row> before = new HashMap<>();
        if (rows.containsKey(key)) {
            before.put(key, rows.get(key));
        }
        snapshot.note(Set.of(key), before);
    }

    private List<Row> all(NdbSnapshot snapshot) {
        List<Row> all = new ArrayList<>();
        @Nullable Key after = null;
        while (true) {
            List<Row> page =
                    snapshot.page(Schema.SEQUENCES, after).toCompletableFuture().join();
            if (page.isEmpty()) {
                return all;
            }
            all.addAll(page);
            after = page.get(page.size() - 1).key();
        }
    }

    @Test
    void shouldShowWhatWasThereWhateverChangesOnBothSidesOfAPage() {
        for (String name : List.of("b", "d", "f", "h")) {
            Row row = number(name, 1);
            rows.put(row.key(), row);
        }
        List<Row> before = List.copyOf(rows.values());
        NdbSnapshot snapshot = take(NdbSnapshot.MOST_BYTES);
        put(number("a", 2), snapshot);
        put(number("d", 2), snapshot);
        put(number("d", 3), snapshot);
        remove("f", snapshot);
        remove("h", snapshot);
        put(number("i", 2), snapshot);
        assertThat(all(snapshot)).isEqualTo(before);

        for (String name : List.of("b", "d", "a", "i")) {
            remove(name, snapshot);
        }
        assertThat(rows).isEmpty();
        assertThat(all(snapshot)).isEqualTo(before);
    }

    @Test
    void shouldGoOnWhereAPageHasNothingButNewRows() {
        NdbSnapshot snapshot = take(NdbSnapshot.MOST_BYTES);
        Row last = number("z", 1);
        rows.put(last.key(), last);
        for (String name : List.of("a", "b", "c", "d", "e")) {
            put(number(name, 1), snapshot);
        }
        assertThat(all(snapshot)).containsExactly(last);
    }

    @Test
    void shouldSayWhereMoreHasChangedThanItKeeps() {
        NdbSnapshot snapshot = take(200);
        put(number("a", 1), snapshot);
        assertThat(all(snapshot)).isEmpty();
        for (String name : List.of("b", "c", "d", "e")) {
            put(number(name, 1), snapshot);
        }
        assertThatThrownBy(() -> all(snapshot)).hasMessageContaining("begin again while less is written");
    }
}
