package io.lambdafs.store.sql;

import io.lambdafs.model.FsException;
import io.lambdafs.model.Scheduler;
import io.lambdafs.store.CommitObserver;
import io.lambdafs.store.LockTable;
import io.lambdafs.store.LockingStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.ServedStore;
import io.lambdafs.store.SnapshotScan;
import io.lambdafs.store.StoreLimits;
import io.lambdafs.store.StoreTransaction;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The store on PostgreSQL: rows in its tables, locks in this process, which alone holds the database. An answer means what the database's
 * {@code synchronous_commit} says: on its disk, and on that of a synchronous standby. Thread-safe.
 */
public final class SqlStore implements ServedStore {
    private final LockingStore store;
    private final SqlRows rows;

    private SqlStore(LockingStore store, SqlRows rows) {
        this.store = store;
        this.rows = rows;
    }

    /**
     * Takes a database, and makes the tables that are not there. Blocks until a process that served it before is gone, 20 s at most.
     *
     * @throws FsException {@code UNAVAILABLE} (the database cannot be used, or another process serves it), {@code INVALID_ARGUMENT} (its
     *     tables are another cluster's, or of another format)
     */
    public static SqlStore open(
            Scheduler scheduler, StoreLimits limits, SqlSettings settings, CommitObserver observer) {
        SqlRows rows = new SqlRows(scheduler, settings, observer);
        return new SqlStore(new LockingStore(scheduler, limits, rows), rows);
    }

    @Override
    public StoreTransaction begin(long epoch) {
        return store.begin(epoch);
    }

    @Override
    public CompletionStage<Void> fence(long epoch) {
        return store.fence(epoch);
    }

    @Override
    public CompletionStage<String> openSnapshot() {
        return store.openSnapshot();
    }

    @Override
    public CompletionStage<List<Row>> scanSnapshot(SnapshotScan scan) {
        return store.scanSnapshot(scan);
    }

    @Override
    public CompletionStage<Void> closeSnapshot(String snapshot) {
        return store.closeSnapshot(snapshot);
    }

    @Override
    public int openTransactions() {
        return store.openTransactions();
    }

    @Override
    public LockTable.Statistics lockStatistics() {
        return store.lockStatistics();
    }

    @Override
    public Optional<String> trouble() {
        return rows.trouble();
    }

    /** Closes after what was accepted is durable. */
    @Override
    public void close() {
        store.close();
    }
}
