package io.lambdafs.store.embedded;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.Table;
import io.lambdafs.store.engine.ReadPool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/** A RocksDB snapshot, valid as long as the open database it was taken from. Used by one caller at a time. */
final class RocksSnapshot implements RowSnapshot {
    private static final int READ_AHEAD_BYTES = 1 << 20;

    private final Database database;
    private final ReadPool readers;
    private final RocksHandle of;
    private final Snapshot snapshot;

    private RocksSnapshot(Database database, ReadPool readers, RocksHandle of, Snapshot snapshot) {
        this.database = database;
        this.readers = readers;
        this.of = of;
        this.snapshot = snapshot;
    }

    static RocksSnapshot take(Database database, ReadPool readers) {
        return database.with(open -> new RocksSnapshot(database, readers, open, open.db.getSnapshot()));
    }

    @Override
    public CompletionStage<List<Row>> page(Table table, @Nullable Key after) {
        byte[] prefix = KeyBytes.prefix(table);
        byte[] from = after == null ? prefix : KeyBytes.next(KeyBytes.of(after));
        return readers.submit(() -> database.with(open -> page(open, from, KeyBytes.end(prefix))));
    }

    private List<Row> page(RocksHandle open, byte[] from, byte[] to) throws RocksDBException {
        if (open != of) {
            throw new FsException(
                    ErrorCode.NOT_FOUND,
                    "the snapshot is gone: the store was opened anew after a failed write; begin again with a new one");
        }
        List<Row> page = new ArrayList<>();
        try (Slice end = new Slice(to);
                // Rows read once must not evict those read repeatedly.
                ReadOptions options = new ReadOptions()
                        .setSnapshot(snapshot)
                        .setIterateUpperBound(end)
                        .setReadaheadSize(READ_AHEAD_BYTES)
                        .setFillCache(false);
                RocksIterator rows = open.db.newIterator(options)) {
            int bytes = 0;
            for (rows.seek(from); bytes < PAGE_BYTES && rows.isValid(); rows.next()) {
                Row row = RowBytes.read(KeyBytes.read(rows.key()), rows.value());
                page.add(row);
                bytes += row.estimatedBytes();
            }
            rows.status();
        }
        return page;
    }

    @Override
    public void close() {
        try {
            database.with(this::release);
        } catch (FsException closed) {
            // The database is closed, and the snapshot with it.
            return;
        }
    }

    private boolean release(RocksHandle open) {
        boolean same = open == of;
        if (same) {
            open.db.releaseSnapshot(snapshot);
        }
        return same;
    }
}
