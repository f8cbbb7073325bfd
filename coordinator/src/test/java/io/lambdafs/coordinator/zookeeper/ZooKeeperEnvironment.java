package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.testkit.Channels;
import io.lambdafs.coordinator.testkit.ProcessScheduler;
import io.lambdafs.coordinator.testkit.SocketEnvironment;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.memory.MemoryStore;
import java.nio.file.Path;

/** A real ZooKeeper server, real sockets between instances, real time; only the store is in memory. */
final class ZooKeeperEnvironment extends SocketEnvironment {
    private final MemoryStore store = new MemoryStore(clock());
    private final EmbeddedZooKeeper server;

    ZooKeeperEnvironment(Path data) {
        this(data, Channels.FALLBACK);
    }

    ZooKeeperEnvironment(Path data, Channels channels) {
        super(channels, messages -> messages);
        server = EmbeddedZooKeeper.start(new EmbeddedZooKeeper.Settings(data, "127.0.0.1", 0, secret()));
    }

    EmbeddedZooKeeper server() {
        return server;
    }

    @Override
    public MetadataStore store() {
        return store;
    }

    @Override
    public Coordinator connect(ProcessScheduler process) {
        return new ZooKeeperCoordinator(
                new ZooKeeperSettings(server.connection(), "test", secret(), true, times()), process);
    }

    @Override
    public void loseSession(Coordinator coordinator) {
        server.expire(((ZooKeeperCoordinator) coordinator).sessionId());
    }

    @Override
    protected void closeServers() {
        server.close();
        store.close();
    }
}
