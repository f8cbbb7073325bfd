package io.lambdafs.store.engine;

import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSum;
import io.lambdafs.store.SnapshotScan;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.lock.LockTable;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Base class of stores that run a {@link LockingStore} over their own engine. Thread-safe. */
public abstract class EngineStore implements MetadataStore {
    private final LockingStore store;

    protected EngineStore(LockingStore store) {
        this.store = store;
    }

    @Override
    public final StoreTransaction begin(long epoch) {
        return store.begin(epoch);
    }

    @Override
    public final CompletionStage<Void> fence(long epoch) {
        return store.fence(epoch);
    }

    @Override
    public final CompletionStage<String> openSnapshot() {
        return store.openSnapshot();
    }

    @Override
    public final CompletionStage<List<Row>> scanSnapshot(SnapshotScan scan) {
        return store.scanSnapshot(scan);
    }

    @Override
    public final CompletionStage<RowSum> sumSnapshot(SnapshotScan scan, int most) {
        return store.sumSnapshot(scan, most);
    }

    @Override
    public final CompletionStage<Void> closeSnapshot(String snapshot) {
        return store.closeSnapshot(snapshot);
    }

    /** Returns the number of transactions that have made a call and not ended. */
    public final int openTransactions() {
        return store.openTransactions();
    }

    public final LockTable.Statistics lockStatistics() {
        return store.lockStatistics();
    }

    /** Closes once all accepted commits are durable. */
    @Override
    public final void close() {
        store.close();
    }
}
