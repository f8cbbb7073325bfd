package io.lambdafs.cluster.dump;

import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** All rows of a store at one moment, whatever its engine. Stateless. */
public final class Snapshot {
    private Snapshot() {}

    /** Hands all rows to a reader, table by table. The store must have snapshots. */
    public static <T> T read(MetadataStore store, Function<Iterable<Row>, T> reader) {
        String snapshot = Answers.await(store::openSnapshot);
        try {
            return reader.apply(() -> new Rows(store, snapshot));
        } finally {
            close(store, snapshot);
        }
    }

    static Stream<Row> rows(MetadataStore store, String snapshot, Table table) {
        Iterable<Row> rows = () -> new SnapshotRows(store, snapshot, table, null);
        return StreamSupport.stream(rows.spliterator(), false);
    }

    /** A pass over all rows, which fetches a page when the one before is read. */
    private static final class Rows implements Iterator<Row> {
        private final MetadataStore store;
        private final String snapshot;
        private final Iterator<Table> tables =
                Schema.TABLES.stream().filter(Table::hasRows).iterator();
        private Iterator<Row> rows = Collections.emptyIterator();

        Rows(MetadataStore store, String snapshot) {
            this.store = store;
            this.snapshot = snapshot;
        }

        @Override
        public boolean hasNext() {
            while (!rows.hasNext() && tables.hasNext()) {
                rows = new SnapshotRows(store, snapshot, tables.next(), null);
            }
            return rows.hasNext();
        }

        @Override
        public Row next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return rows.next();
        }
    }

    /** Returns the tables in a dump, without the settings, which are in its first line. */
    static List<Table> carried() {
        return Schema.TABLES.stream()
                .filter(each -> each.isCarried() && !each.equals(Schema.SETTINGS))
                .toList();
    }

    static void close(MetadataStore store, String snapshot) {
        store.closeSnapshot(snapshot).exceptionally(unreached -> {
            // The store gives it up by itself once no client reads it.
            return null;
        });
    }
}
