package io.lambdafs.store.database;

import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.MetadataStoreContract;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.StoreLimits;

/** The contract of all stores, on a database in memory: what the engines of PostgreSQL and NDB have in common. */
class DatabaseStoreTest extends MetadataStoreContract {
    private static final int READERS = 4;

    @Override
    protected MetadataStore open(Scheduler scheduler, StoreLimits limits) {
        return new DatabaseStore(scheduler, limits, new TestDatabase(scheduler), READERS, CommitObserver.NONE);
    }
}
