package io.lambdafs.store.memory;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.ChangeLog;
import io.lambdafs.store.Column;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSnapshot;
import io.lambdafs.store.Scan;
import io.lambdafs.store.engine.Deltas;
import io.lambdafs.store.engine.RowEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A row engine on a sorted map. Thread-safe: one mutex makes every batch atomic. */
final class MemoryRows implements RowEngine {
    private final Scheduler scheduler;
    private final NavigableMap<Key, Row> rows = new TreeMap<>();

    MemoryRows(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    @Override
    public synchronized CompletionStage<List<@Nullable Row>> read(List<Key> keys) {
        List<@Nullable Row> found = new ArrayList<>(keys.size());
        for (Key key : keys) {
            found.add(rows.get(key));
        }
        return CompletableFuture.completedFuture(found);
    }

    @Override
    public synchronized CompletionStage<List<Row>> scan(Scan scan) {
        Object after = scan.after();
        boolean text = scan.table().keyColumns().get(1).type() == Column.Type.STRING;
        Object least = text ? "" : (Object) Long.MIN_VALUE;
        Key from = scan.table().key(scan.partition(), after == null ? least : after);
        List<Row> page = new ArrayList<>();
        for (Map.Entry<Key, Row> entry : rows.tailMap(from, after == null).entrySet()) {
            Key key = entry.getKey();
            boolean inside = key.table().equals(scan.table()) && key.partition().equals(scan.partition());
            if (!inside || page.size() == scan.limit()) {
                break;
            }
            page.add(entry.getValue());
        }
        return CompletableFuture.completedFuture(page);
    }

    @Override
    public synchronized CompletionStage<Void> apply(List<Mutation> mutations, long deadlineMillis) {
        if (scheduler.currentTimeMillis() > deadlineMillis) {
            return CompletableFuture.failedFuture(new FsException(
                    ErrorCode.DEADLINE_EXCEEDED, "the deadline of the commit has passed; nothing was changed"));
        }
        if (!Deltas.admits(mutations, rows::get)) {
            return CompletableFuture.failedFuture(Deltas.overQuota());
        }
        for (Mutation mutation : mutations) {
            if (mutation instanceof Mutation.Put put) {
                rows.put(put.key(), put.row());
            } else if (mutation instanceof Mutation.Delete delete) {
                rows.remove(delete.key());
            } else if (mutation instanceof Mutation.Merge merge) {
                rows.put(merge.key(), Deltas.apply(rows.get(merge.key()), merge));
            } else if (mutation instanceof Mutation.Append append) {
                append(append.row());
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    private void append(Row entry) {
        long position = ChangeLog.position(rows.get(ChangeLog.NEXT));
        Key key = ChangeLog.key(position);
        rows.put(key, entry.at(key));
        rows.put(ChangeLog.NEXT, ChangeLog.after(position));
    }

    @Override
    public synchronized CompletionStage<RowSnapshot> snapshot() {
        return CompletableFuture.completedFuture(new MemorySnapshot(new TreeMap<>(rows)));
    }

    synchronized List<Row> all() {
        return List.copyOf(rows.values());
    }

    @Override
    public void close() {
        // Nothing survives the process anyway.
    }
}
