package io.lambdafs.store.ndb;

import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.database.DatabaseStore;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.StoreLimits;
import java.security.SecureRandom;

/** The store on an NDB Cluster. {@link NdbAck} defines what an answer guarantees. Stateless. */
public final class NdbStore {
    private NdbStore() {}

    /**
     * Takes an NDB, and creates the missing tables. Blocks until the process that served it before is gone, some 26 s
     * at most.
     *
     * @throws FsException {@code UNAVAILABLE} (NDB cannot be used, or another process serves it),
     *     {@code INVALID_ARGUMENT} (its tables are another cluster's, or of another format)
     */
    public static DatabaseStore open(
            Scheduler scheduler, StoreLimits limits, NdbSettings settings, CommitObserver observer) {
        NdbDatabase database = new NdbDatabase(settings, new SecureRandom().nextLong(), null);
        return new DatabaseStore(scheduler, limits, database, settings.readers(), observer);
    }
}
