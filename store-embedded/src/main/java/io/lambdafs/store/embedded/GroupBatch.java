package io.lambdafs.store.embedded;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.Deltas;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * The changes of a group, the last one of each key: a merge reads what the group has made of its row so far, or the database.
 * Not thread-safe.
 */
final class GroupBatch implements AutoCloseable {
    /** What becomes of a key. At most one of the two is there; neither for a delete. */
    private static final class Outcome {
        final byte[] key;
        byte @Nullable [] value;

        @Nullable
        Row merged;

        Outcome(byte[] key) {
            this.key = key;
        }
    }

    private final Database database;
    private final Map<Key, Outcome> outcomes = new LinkedHashMap<>();
    private final WriteBatch batch = new WriteBatch();

    GroupBatch(Database database) {
        this.database = database;
    }

    void add(PendingCommit commit) {
        for (PendingCommit.Change change : commit.changes) {
            Outcome before = outcomes.get(change.key());
            Outcome outcome = before == null ? new Outcome(change.keyBytes()) : before;
            if (change.merge() != null) {
                outcome.merged = Deltas.apply(current(change, before), change.merge());
                outcome.value = null;
            } else {
                outcome.merged = null;
                outcome.value = change.value();
            }
            if (before == null) {
                outcomes.put(change.key(), outcome);
            }
        }
    }

    private @Nullable Row current(PendingCommit.Change change, @Nullable Outcome before) {
        if (before != null && before.merged != null) {
            return before.merged;
        }
        byte[] value = before == null ? database.get(change.keyBytes()) : before.value;
        return value == null ? null : RowBytes.read(change.key(), value);
    }

    /** Writes everything as one; returns its bytes. */
    long write() {
        try {
            for (Outcome outcome : outcomes.values()) {
                byte[] value = outcome.merged == null ? outcome.value : RowBytes.of(outcome.merged);
                if (value == null) {
                    batch.delete(outcome.key);
                } else {
                    batch.put(outcome.key, value);
                }
            }
        } catch (RocksDBException e) {
            throw new FsException(ErrorCode.INTERNAL, "cannot gather a group of commits: " + e, e);
        }
        database.write(batch);
        return batch.getDataSize();
    }

    @Override
    public void close() {
        batch.close();
    }
}
