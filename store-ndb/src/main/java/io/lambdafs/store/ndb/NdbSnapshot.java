package io.lambdafs.store.ndb;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.Table;
import io.lambdafs.store.database.DatabaseLostException;
import io.lambdafs.store.engine.ReadPool;
import io.lambdafs.store.ndb.row.RowScan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Rows at one moment, of a database that keeps no versions. All changes since then are this process's: before its
 * commit, each group notes here the former values of the rows that it changes. A page is the committed rows, with the
 * former values in place. Thread-safe.
 */
final class NdbSnapshot implements RowSnapshot {
    /** The maximum size of the changed rows that a snapshot keeps. */
    static final long MOST_BYTES = 48L << 20;

    private static final int ATTEMPTS = 10;
    private static final int KEY_BYTES = 64;

    private final ReadPool readers;
    private final Pages pages;
    private final Consumer<NdbSnapshot> closed;
    private final long mostBytes;
    private final Map<Table, NavigableMap<Key, Optional<Row>>> before = new HashMap<>();
    private long bytes;
    private boolean given;

    /** Reads committed rows. */
    @FunctionalInterface
    interface Pages {
        /** Returns rows of a table after a key, or the first ones for null, in key order; empty at the end. */
        List<RowScan.Stored> after(Table table, @Nullable Key after) throws DatabaseLostException;
    }

    NdbSnapshot(ReadPool readers, Pages pages, Consumer<NdbSnapshot> closed, long mostBytes) {
        this.readers = readers;
        this.pages = pages;
        this.closed = closed;
        this.mostBytes = mostBytes;
    }

    /** Notes the values of rows about to change, unless they have changed since the snapshot's moment. */
    synchronized void note(Set<Key> changing, Map<Key, Row> rows) {
        if (given) {
            return;
        }
        for (Key key : changing) {
            Row row = rows.get(key);
            if (before.computeIfAbsent(key.table(), table -> new TreeMap<>()).putIfAbsent(key, Optional.ofNullable(row))
                    == null) {
                bytes += KEY_BYTES + (row == null ? 0 : row.estimatedBytes());
            }
        }
        if (bytes > mostBytes) {
            give();
        }
    }

    /** Drops the rows that it keeps. */
    private void give() {
        given = true;
        before.clear();
    }

    @Override
    public CompletionStage<List<Row>> page(Table table, @Nullable Key after) {
        return readers.submit(() -> read(table, after));
    }

    private List<Row> read(Table table, @Nullable Key after) {
        Key from = after;
        while (true) {
            List<RowScan.Stored> stored = committed(table, from);
            List<Row> rows = asBefore(table, from, stored);
            if (!rows.isEmpty() || stored.isEmpty()) {
                return rows;
            }
            from = stored.get(stored.size() - 1).key();
        }
    }

    private List<RowScan.Stored> committed(Table table, @Nullable Key after) {
        for (int attempt = 1; ; attempt++) {
            try {
                return pages.after(table, after);
            } catch (DatabaseLostException e) {
                if (attempt >= ATTEMPTS) {
                    throw e.reason();
                }
            }
        }
    }

    private synchronized List<Row> asBefore(Table table, @Nullable Key after, List<RowScan.Stored> stored) {
        if (given) {
            throw new FsException(
                    ErrorCode.NOT_FOUND,
                    "more than " + (mostBytes >> 20)
                            + " MB of rows have changed since the snapshot, which is more than the store keeps of them in memory:"
                            + " begin again while less is written");
        }
        NavigableMap<Key, Optional<Row>> changed = before.get(table);
        if (changed == null) {
            return cut(() -> stored.stream().map(RowScan.Stored::row).iterator());
        }
        NavigableMap<Key, Row> rows = new TreeMap<>();
        for (RowScan.Stored each : stored) {
            // The parts of a changed row may be of several moments.
            if (!changed.containsKey(each.key())) {
                rows.put(each.key(), each.row());
            }
        }
        NavigableMap<Key, Optional<Row>> passed = after == null ? changed : changed.tailMap(after, false);
        if (!stored.isEmpty()) {
            passed = passed.headMap(stored.get(stored.size() - 1).key(), true);
        }
        passed.forEach((key, row) -> row.ifPresent(was -> rows.put(key, was)));
        return cut(rows.values());
    }

    private static List<Row> cut(Iterable<Row> rows) {
        List<Row> page = new ArrayList<>();
        int bytes = 0;
        for (Row row : rows) {
            page.add(row);
            bytes += row.estimatedBytes();
            if (bytes >= PAGE_BYTES) {
                break;
            }
        }
        return page;
    }

    @Override
    public void close() {
        closed.accept(this);
        synchronized (this) {
            give();
        }
    }
}
