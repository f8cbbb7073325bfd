package io.lambdafs.store.ndb.server;

import io.lambdafs.rpc.ServiceMain;
import io.lambdafs.store.ndb.NdbStore;
import io.lambdafs.store.server.process.StoreService;

/**
 * The NDB store as a process. Its single argument is a JSON file with {@link NdbStoreConfig}'s keys. SIGTERM ends it
 * after all accepted writes are committed. Exit codes are those of the embedded store; 70 also if another process has
 * taken the database, or it came back older.
 */
public final class NdbStoreMain {
    private NdbStoreMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        ServiceMain.run(NdbStoreMain.class, arguments, file -> {
            NdbStoreConfig config = NdbStoreConfig.load(file);
            return StoreService.start(
                            config.service(),
                            (scheduler, limits, observer) ->
                                    NdbStore.open(scheduler, limits, config.settings(), observer))::close;
        });
    }
}
