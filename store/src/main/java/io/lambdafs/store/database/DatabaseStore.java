package io.lambdafs.store.database;

import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.EngineStore;
import io.lambdafs.store.engine.LockingStore;
import io.lambdafs.store.engine.ServedStore;
import io.lambdafs.store.engine.StoreLimits;
import java.util.Optional;

/**
 * A store on a database: rows in its tables, locks in this process, which owns the database exclusively. Thread-safe.
 */
public final class DatabaseStore extends EngineStore implements ServedStore {
    private final DatabaseRows rows;

    /**
     * Takes ownership of a database, to be closed with the store or if it cannot be taken. Blocks until a previous
     * owner is gone.
     *
     * @param readers number of reader threads
     * @throws FsException as {@link Database#take}
     */
    public DatabaseStore(
            Scheduler scheduler, StoreLimits limits, Database database, int readers, CommitObserver observer) {
        this(scheduler, limits, new DatabaseRows(scheduler, database, readers, observer));
    }

    private DatabaseStore(Scheduler scheduler, StoreLimits limits, DatabaseRows rows) {
        super(new LockingStore(scheduler, limits, rows));
        this.rows = rows;
    }

    @Override
    public Optional<String> trouble() {
        return rows.trouble();
    }
}
