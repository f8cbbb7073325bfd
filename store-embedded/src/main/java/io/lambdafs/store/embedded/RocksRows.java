package io.lambdafs.store.embedded;

import io.lambdafs.model.FsException;
import io.lambdafs.model.disk.FileTrouble;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.Scan;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.GroupCommit;
import io.lambdafs.store.engine.ReadPool;
import io.lambdafs.store.engine.RowEngine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A row engine on RocksDB. A few rows in memory are read at once on the caller's thread; scans and reads from disk go
 * to a small pool. Thread-safe.
 */
final class RocksRows implements RowEngine {
    private static final int MAX_READ_AT_ONCE = 64;
    private static final Map<Key, Row> NONE_KNOWN = Map.of();

    private final Database database;
    private final HotRows hot = new HotRows();
    private final GroupCommit<EncodedCommit> commits;
    private final ReadPool readers;

    RocksRows(Scheduler scheduler, RocksSettings settings, CommitObserver observer) {
        this.database = Database.open(scheduler, settings);
        try {
            FreeSpace space = new FreeSpace(database.directory(), settings.minFreeBytes());
            this.commits = new GroupCommit<>(scheduler, new Groups(space), observer);
        } catch (IOException e) {
            database.close();
            throw FileTrouble.of("cannot use the store directory " + settings.directory(), e);
        }
        this.readers = new ReadPool(settings.readThreads(), "the disk");
    }

    /** Writes groups on the commit thread. */
    private final class Groups implements GroupCommit.Writer<EncodedCommit> {
        private final FreeSpace space;

        Groups(FreeSpace space) {
            this.space = space;
        }

        @Override
        public @Nullable FsException full() {
            return space.isShort() ? database.full("less than " + space.minFreeBytes() + " bytes are free") : null;
        }

        @Override
        public long write(List<EncodedCommit> group, BitSet refused) {
            try (GroupBatch batch = new GroupBatch(database, hot)) {
                for (int i = 0; i < group.size(); i++) {
                    refused.set(i, !batch.add(group.get(i)));
                }
                return batch.write();
            }
        }
    }

    @Override
    public CompletionStage<List<@Nullable Row>> read(List<Key> keys) {
        if (keys.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        if (keys.size() <= MAX_READ_AT_ONCE) {
            List<@Nullable Row> rows = readInMemory(keys);
            if (rows != null) {
                return CompletableFuture.completedFuture(rows);
            }
        }
        return readers.submit(() -> Objects.requireNonNull(read(keys, NONE_KNOWN, false, HotRows.NO_VERSION)));
    }

    /** Returns all rows at one moment; null if one would have to come from disk. */
    private @Nullable List<@Nullable Row> readInMemory(List<Key> keys) {
        long version = hot.version();
        Map<Key, Row> known = new HashMap<>();
        for (Key key : keys) {
            Row row = hot.get(key);
            if (row != null) {
                known.put(key, row);
            }
        }
        List<@Nullable Row> rows = read(keys, known, true, version);
        // The database's rows are of one moment; the cached ones are of the same if no group came in between.
        return hot.version() == version ? rows : read(keys, NONE_KNOWN, true, HotRows.NO_VERSION);
    }

    /**
     * Reads unknown rows from the database and caches them.
     *
     * @param version of the cached rows when the read began
     * @return null if a row would have to come from disk but must not
     */
    private @Nullable List<@Nullable Row> read(List<Key> keys, Map<Key, Row> known, boolean onlyMemory, long version) {
        List<byte @Nullable []> encoded = new ArrayList<>(keys.size());
        for (Key key : keys) {
            boolean asked = key.table().hasRows() && !known.containsKey(key);
            encoded.add(asked ? KeyBytes.of(key) : null);
        }
        List<byte @Nullable []> values = database.getAll(encoded, onlyMemory);
        if (values == null) {
            return null;
        }
        List<@Nullable Row> rows = new ArrayList<>(keys.size());
        for (int i = 0; i < values.size(); i++) {
            Key key = keys.get(i);
            byte[] value = values.get(i);
            if (value == null) {
                rows.add(known.get(key));
                continue;
            }
            Row row = RowBytes.read(key, value);
            if (value.length <= HotRows.MAX_BYTES) {
                hot.fill(row, version);
            }
            rows.add(row);
        }
        return rows;
    }

    @Override
    public CompletionStage<List<Row>> scan(Scan scan) {
        byte[] prefix = KeyBytes.prefix(scan);
        Object after = scan.after();
        byte[] from =
                after == null ? prefix : KeyBytes.next(KeyBytes.of(scan.table().key(scan.partition(), after)));
        return readers.submit(() -> {
            List<Row> page = new ArrayList<>();
            database.scan(
                    from,
                    KeyBytes.end(prefix),
                    scan.limit(),
                    (key, value) -> page.add(RowBytes.read(KeyBytes.inScan(scan, prefix.length, key), value)));
            return page;
        });
    }

    @Override
    public CompletionStage<RowSnapshot> snapshot() {
        return readers.submit(() -> RocksSnapshot.take(database, readers));
    }

    @Override
    public CompletionStage<Void> apply(List<Mutation> mutations, long deadlineMillis) {
        EncodedCommit commit = EncodedCommit.of(mutations);
        return commits.submit(commit, commit.bytes(), Mutation.grow(mutations), deadlineMillis);
    }

    @Override
    public void expectChanges() {
        commits.expect();
    }

    /** Returns what prevents commits; empty if nothing does. */
    Optional<String> trouble() {
        Optional<String> thread = commits.trouble();
        return thread.isPresent() ? thread : database.trouble();
    }

    @Override
    public void close() {
        commits.close();
        readers.close();
        database.close();
    }
}
