package io.lambdafs.store.ndb;

import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.MetadataStoreContract;
import io.lambdafs.store.database.DatabaseStore;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.StoreLimits;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract of all stores, on an NDB with contents on disk. */
class NdbDiskStoreTest extends MetadataStoreContract {
    private static final int MEMORY_MB = 128;
    private static final int DISK_MB = 64;

    private static @Nullable TestNdb ndb;

    @BeforeAll
    static void startNdb() throws Exception {
        ndb = TestNdb.start(1, MEMORY_MB);
    }

    @AfterAll
    static void stopNdb() {
        if (ndb != null) {
            ndb.close();
        }
    }

    @Override
    protected MetadataStore open(Scheduler scheduler, StoreLimits limits) throws Exception {
        ndb.empty();
        return new DatabaseStore(scheduler, limits, ndb.databaseOnDisk(DISK_MB), 4, CommitObserver.NONE);
    }
}
