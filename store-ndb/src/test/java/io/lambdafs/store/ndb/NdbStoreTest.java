package io.lambdafs.store.ndb;

import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.MetadataStoreContract;
import io.lambdafs.store.database.DatabaseStore;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.StoreLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;

/** The contract of all stores, on an NDB of its own. */
class NdbStoreTest extends MetadataStoreContract {
    private static @Nullable TestNdb ndb;

    @BeforeAll
    static void startNdb() throws Exception {
        ndb = TestNdb.shared();
    }

    @Override
    protected MetadataStore open(Scheduler scheduler, StoreLimits limits) throws Exception {
        ndb.empty();
        return new DatabaseStore(scheduler, limits, ndb.database(), 4, CommitObserver.NONE);
    }

    /** By a lock of another program. */
    @Override
    public List<Refusal> refusalsOfChanges() {
        return List.of(key -> {
            AutoCloseable lock = ndb.lock(key);
            return lock::close;
        });
    }
}
