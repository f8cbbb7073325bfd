package io.lambdafs.store.embedded.server;

import io.lambdafs.model.FsException;
import io.lambdafs.rpc.ServiceMain;
import io.lambdafs.store.embedded.RocksStore;
import io.lambdafs.store.server.process.StoreService;
import java.io.IOException;

/**
 * Main class of the embedded store's server process. Its single argument is a JSON file with {@link StoreConfig}'s
 * keys. SIGTERM ends it once accepted commits are durable. Exit codes: 143 ended by SIGTERM, 70 a thread of it died, 1
 * the data cannot be used, 2 wrong usage or configuration, 3 an address, directory or secret that cannot be had.
 */
public final class StoreMain {
    private StoreMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        ServiceMain.run(StoreMain.class, arguments, file -> start(StoreConfig.load(file))::close);
    }

    /**
     * Starts a store server in this process.
     *
     * @throws FsException as {@link RocksStore#open} and {@link StoreService#start} say
     * @throws IOException as {@link StoreService#start} says
     */
    public static StoreService start(StoreConfig config) throws IOException {
        return StoreService.start(
                config.service(),
                (scheduler, limits, observer) -> RocksStore.open(scheduler, limits, config.settings(), observer));
    }
}
