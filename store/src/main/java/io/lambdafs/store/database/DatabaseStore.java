package io.lambdafs.store.database;

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

/** A store on a database: rows in its tables, locks in this process, which alone holds the database. Thread-safe. */
public final class DatabaseStore implements ServedStore {
    private final LockingStore store;
    private final DatabaseRows rows;

    /**
     * Takes a database, and closes it with the store or where it cannot be taken. Blocks until a process that served it before is gone.
     *
     * @param readers threads that read
     * @throws FsException as {@link Database#take}
     */
    public DatabaseStore(
            Scheduler scheduler, StoreLimits limits, Database database, int readers, CommitObserver observer) {
        rows = new DatabaseRows(scheduler, database, readers, observer);
        store = new LockingStore(scheduler, limits, rows);
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
