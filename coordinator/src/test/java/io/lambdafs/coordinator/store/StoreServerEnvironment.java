package io.lambdafs.coordinator.store;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.testkit.Channels;
import io.lambdafs.coordinator.testkit.ProcessScheduler;
import io.lambdafs.coordinator.testkit.SocketEnvironment;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.embedded.RocksSettings;
import io.lambdafs.store.embedded.RocksStore;
import io.lambdafs.store.engine.StoreLimits;
import io.lambdafs.store.server.StoreClient;
import io.lambdafs.store.server.StoreMessages;
import io.lambdafs.store.server.StoreServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A real embedded store behind its server, a connection to it for each coordinator, real sockets, real time. */
final class StoreServerEnvironment extends SocketEnvironment {
    private final MetadataStore store;
    private final StoreServer server;
    private final List<StoreClient> clients = new ArrayList<>();

    StoreServerEnvironment(Path data, Channels channels) {
        super(channels, StoreMessages::register);
        store = RocksStore.open(clock(), StoreLimits.defaults(), RocksSettings.of(data));
        server = StoreServer.start(
                        store, transport(), tokens(), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .toCompletableFuture()
                .join();
    }

    @Override
    public MetadataStore store() {
        return store;
    }

    @Override
    public Coordinator connect(ProcessScheduler process) {
        StoreClient client = StoreClient.connect(transport(), process, server.address(), tokens());
        clients.add(client);
        return new StoreCoordinator(client, process, times());
    }

    @Override
    public void loseSession(Coordinator coordinator) {
        ((StoreCoordinator) coordinator).endSession();
    }

    @Override
    protected void closeServers() {
        clients.forEach(StoreClient::close);
        server.close();
        store.close();
    }
}
