package io.lambdafs.store.memory;

import io.lambdafs.model.Scheduler;
import io.lambdafs.store.LockTable;
import io.lambdafs.store.LockingStore;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.SnapshotScan;
import io.lambdafs.store.StoreLimits;
import io.lambdafs.store.StoreTransaction;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A store in memory, gone with its process. Thread-safe. A call that need not wait for a lock is answered before it returns; one
 * that must, on the scheduler's executor.
 */
public final class MemoryStore implements MetadataStore {
    private final LockingStore store;
    private final MemoryRows rows;

    /** A store with {@link StoreLimits#defaults()}. */
    public MemoryStore(Scheduler scheduler) {
        this(scheduler, StoreLimits.defaults());
    }

    public MemoryStore(Scheduler scheduler, StoreLimits limits) {
        rows = new MemoryRows(scheduler);
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

    /** Everything that is committed, of one moment, in the order of the keys. */
    public List<Row> rows() {
        return rows.all();
    }

    /** Transactions that have made a call and have not ended. */
    public int openTransactions() {
        return store.openTransactions();
    }

    public LockTable.Statistics lockStatistics() {
        return store.lockStatistics();
    }

    @Override
    public void close() {
        store.close();
    }
}
