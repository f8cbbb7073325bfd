package io.lambdafs.store.sql.server;

import io.lambdafs.rpc.ServiceMain;
import io.lambdafs.store.server.process.StoreService;
import io.lambdafs.store.sql.SqlStore;
import java.io.IOException;

/**
 * The SQL store as a process. Its single argument is a JSON file with {@link SqlStoreConfig}'s keys. SIGTERM ends it
 * after all accepted writes are durable. Exit codes are those of the embedded store; 70 also if another process has
 * taken the database.
 */
public final class SqlStoreMain {
    private SqlStoreMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        ServiceMain.run(SqlStoreMain.class, arguments, file -> start(SqlStoreConfig.load(file))::close);
    }

    /** Starts a store server in this process; throws as {@link SqlStore} and {@link StoreService#start} specify. */
    static StoreService start(SqlStoreConfig config) throws IOException {
        if (config.service().standby()) {
            // A standby would otherwise report ready, and fail only when it takes over.
            SqlStore.demandSound(config.settings());
        }
        return StoreService.start(
                config.service(),
                (scheduler, limits, observer) -> SqlStore.open(scheduler, limits, config.settings(), observer));
    }
}
