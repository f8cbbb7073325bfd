package io.lambdafs.store;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** A store whose transactions are those of a {@link LockingStore} over an engine of its own. Thread-safe. */
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
    public final CompletionStage<Void> closeSnapshot(String snapshot) {
        return store.closeSnapshot(snapshot);
    }

    /** Transactions that have made a call and have not ended. */
    public final int openTransactions() {
        return store.openTransactions();
    }

    public final LockTable.Statistics lockStatistics() {
        return store.lockStatistics();
    }

    /** Closes after what was accepted is durable. */
    @Override
    public final void close() {
        store.close();
    }
}
