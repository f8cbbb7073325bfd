package io.lambdafs.store.sql;

import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.database.DatabaseStore;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.StoreLimits;
import java.util.ArrayList;
import java.util.List;

/**
 * The store on PostgreSQL. An answered write is as durable as the database's {@code synchronous_commit} demands: on its
 * disk, and on that of a synchronous standby. Stateless.
 */
public final class SqlStore {
    private SqlStore() {}

    /**
     * Takes a database, and creates the missing tables. Blocks until the process that served it before is gone, 20 s at
     * most.
     *
     * @throws FsException {@code UNAVAILABLE} (the database cannot be used, or another process serves it),
     *     {@code INVALID_ARGUMENT} (its tables are another cluster's, or of another format)
     */
    public static DatabaseStore open(
            Scheduler scheduler, StoreLimits limits, SqlSettings settings, CommitObserver observer) {
        return new DatabaseStore(scheduler, limits, new SqlDatabase(settings), settings.readers(), observer);
    }

    /**
     * Refuses a database that {@link #open} would refuse no matter which process serves it now; changes nothing, and
     * waits for no process.
     *
     * @throws FsException {@code UNAVAILABLE} (it is damaged, or lacks rights), {@code INVALID_ARGUMENT} (another
     *     cluster's, or of another format)
     */
    public static void demandSound(SqlSettings settings) {
        DatabaseLease.demandSound(settings);
    }

    /**
     * Returns the statements that create the tables and their comments, for an administrator if the store's user may
     * not create them. With all tables there, the store executes none.
     */
    public static List<String> schema() {
        SqlTables tables = new SqlTables();
        List<String> all = new ArrayList<>(SqlSchema.statements(tables));
        all.addAll(new SqlComments(tables).statements());
        return all;
    }
}
