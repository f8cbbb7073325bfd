package io.lambdafs.store;

import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.engine.StoreLimits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Contract of every store. An engine's test extends this and opens an empty store; each test has its own.
 *
 * <p>Rows: {@link RowContract}. The change log: {@link ChangesContract}. Locks: {@link LockContract}. Whole transactions in one message: {@link
 * GuardContract}. Fences: {@link FenceContract}. Many at once:
 * {@link ConcurrencyContract}. What an engine refuses: {@link RefusalContract}. Snapshots: {@link SnapshotContract}.
 */
public abstract class MetadataStoreContract
        implements RowContract,
                ChangesContract,
                GuardContract,
                LockContract,
                FenceContract,
                ConcurrencyContract,
                QuotaContract,
                RefusalContract,
                SnapshotContract {
    private ThreadScheduler scheduler;
    private MetadataStore store;

    /** Opens an empty store. */
    protected abstract MetadataStore open(Scheduler scheduler, StoreLimits limits) throws Exception;

    /** Closes what {@link #open} opened. */
    protected void close(MetadataStore opened) throws Exception {
        opened.close();
    }

    @BeforeEach
    void openStore() throws Exception {
        scheduler = new ThreadScheduler();
        store = open(scheduler, StoreLimits.defaults());
    }

    @AfterEach
    void closeStore() throws Exception {
        close(store);
        scheduler.close();
    }

    @Override
    public MetadataStore store() {
        return store;
    }

    @Override
    public void reopen(StoreLimits limits) {
        try {
            close(store);
            store = open(scheduler, limits);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
