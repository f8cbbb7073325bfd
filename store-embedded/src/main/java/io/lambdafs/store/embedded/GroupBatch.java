package io.lambdafs.store.embedded;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.ChangeLog;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.engine.Deltas;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Accumulates a group's changes, keeping the last per key: a merge reads its row from the group so far, or from the
 * database. Not thread-safe.
 */
final class GroupBatch implements AutoCloseable {
    /** The resulting row of a key. */
    private static final class Outcome {
        final byte[] key;
        /** Null if deleted. */
        @Nullable
        Row row;
        /** The bytes of {@link #row}, if already encoded. */
        byte @Nullable [] value;

        Outcome(byte[] key) {
            this.key = key;
        }
    }

    private static final byte[] NEXT = KeyBytes.of(ChangeLog.NEXT);

    private final Database database;
    private final HotRows hot;
    private final Map<Key, Outcome> outcomes = new LinkedHashMap<>();
    private final WriteBatch batch = new WriteBatch();

    GroupBatch(Database database, HotRows hot) {
        this.database = database;
        this.hot = hot;
    }

    /** Adds a commit, unless a quota does not admit it. */
    boolean add(EncodedCommit commit) {
        if (!admits(commit)) {
            return false;
        }
        for (EncodedCommit.Change change : commit.changes()) {
            if (change.isAppended()) {
                append(change);
                continue;
            }
            Outcome before = outcomes.get(change.key());
            Outcome outcome = before == null ? new Outcome(change.keyBytes()) : before;
            if (change.merge() != null) {
                outcome.row = Deltas.apply(current(change.key(), change.keyBytes(), before), change.merge());
                outcome.value = null;
            } else {
                outcome.row = change.row();
                outcome.value = change.value();
            }
            if (before == null) {
                outcomes.put(change.key(), outcome);
            }
        }
        return true;
    }

    private boolean admits(EncodedCommit commit) {
        for (EncodedCommit.Change change : commit.changes()) {
            Mutation.Merge merge = change.merge();
            if (merge != null
                    && merge.limited()
                    && !Deltas.admits(current(change.key(), change.keyBytes(), outcomes.get(change.key())), merge)) {
                return false;
            }
        }
        return true;
    }

    /** Assigns a change log entry its position, in the order of commits in the group. */
    private void append(EncodedCommit.Change change) {
        Outcome next = outcomes.get(ChangeLog.NEXT);
        long position = ChangeLog.position(current(ChangeLog.NEXT, NEXT, next));
        if (next == null) {
            next = new Outcome(NEXT);
            outcomes.put(ChangeLog.NEXT, next);
        }
        next.row = ChangeLog.after(position);
        next.value = null;
        Key key = ChangeLog.key(position);
        Outcome entry = new Outcome(KeyBytes.of(key));
        entry.row = change.row();
        entry.value = change.value();
        outcomes.put(key, entry);
    }

    private @Nullable Row current(Key key, byte[] keyBytes, @Nullable Outcome before) {
        if (before != null) {
            return before.row;
        }
        Row known = hot.get(key);
        if (known != null) {
            return known;
        }
        byte[] value = database.get(keyBytes);
        return value == null ? null : RowBytes.read(key, value);
    }

    /** Writes everything as one batch; returns its bytes. */
    long write() {
        if (outcomes.isEmpty()) {
            return 0;
        }
        boolean keeps = outcomes.size() <= HotRows.MAX_GROUP;
        List<Row> rows = new ArrayList<>(keeps ? outcomes.size() : 0);
        try {
            for (Outcome outcome : outcomes.values()) {
                Row row = outcome.row;
                if (row == null) {
                    batch.delete(outcome.key);
                } else {
                    byte[] known = outcome.value;
                    byte[] value = known == null ? RowBytes.of(row) : known;
                    batch.put(outcome.key, value);
                    if (keeps && value.length <= HotRows.MAX_BYTES && !row.key().equals(ChangeLog.UNPLACED)) {
                        rows.add(row);
                    }
                }
            }
        } catch (RocksDBException e) {
            throw new FsException(ErrorCode.INTERNAL, "cannot gather a group of commits: " + e, e);
        }
        hot.begin(outcomes.keySet());
        boolean written = false;
        try {
            database.write(batch);
            written = true;
        } finally {
            hot.end(written ? rows : List.of());
        }
        return batch.getDataSize();
    }

    @Override
    public void close() {
        batch.close();
    }
}
