package io.lambdafs.cluster.dump;

import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.SnapshotScan;
import io.lambdafs.store.Table;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Iterates over a table of a snapshot; fetches the next page while one is read. Not thread-safe. */
final class SnapshotRows implements Iterator<Row> {
    private final MetadataStore store;
    private final String snapshot;
    private final Table table;
    private Iterator<Row> page = List.<Row>of().iterator();
    private @Nullable Key asked;
    private @Nullable CompletionStage<List<Row>> coming;

    /** @param after the key to start after; null for the first row */
    SnapshotRows(MetadataStore store, String snapshot, Table table, @Nullable Key after) {
        this.store = store;
        this.snapshot = snapshot;
        this.table = table;
        ask(after);
    }

    private void ask(@Nullable Key after) {
        asked = after;
        coming = question();
    }

    private CompletionStage<List<Row>> question() {
        return store.scanSnapshot(new SnapshotScan(snapshot, table, asked));
    }

    @Override
    public boolean hasNext() {
        CompletionStage<List<Row>> next = coming;
        if (!page.hasNext() && next != null) {
            List<Row> rows = Answers.await(next, this::question);
            if (rows.isEmpty()) {
                coming = null;
            } else {
                ask(rows.get(rows.size() - 1).key());
            }
            page = rows.iterator();
        }
        return page.hasNext();
    }

    @Override
    public Row next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return page.next();
    }
}
