package io.lambdafs.store.memory;

import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A copy of all rows, grouped by table, because keys of several tables interleave in lock order. Immutable. */
final class MemorySnapshot implements RowSnapshot {
    private final NavigableMap<Integer, NavigableMap<Key, Row>> tables = new TreeMap<>();

    MemorySnapshot(NavigableMap<Key, Row> rows) {
        rows.forEach((key, row) -> tables.computeIfAbsent(key.table().number(), table -> new TreeMap<>())
                .put(key, row));
    }

    @Override
    public CompletionStage<List<Row>> page(Table table, @Nullable Key after) {
        NavigableMap<Key, Row> rows = tables.getOrDefault(table.number(), new TreeMap<>());
        List<Row> page = new ArrayList<>();
        int bytes = 0;
        for (Row row : (after == null ? rows : rows.tailMap(after, false)).values()) {
            page.add(row);
            bytes += row.estimatedBytes();
            if (bytes >= PAGE_BYTES) {
                break;
            }
        }
        return CompletableFuture.completedFuture(page);
    }

    @Override
    public void close() {
        // Garbage collected when unreferenced.
    }
}
