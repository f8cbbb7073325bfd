package io.lambdafs.coordinator.zookeeper;

import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.direct.CoordinatorMessages;
import io.lambdafs.coordinator.direct.DirectChannel;
import io.lambdafs.coordinator.direct.DirectSettings;
import io.lambdafs.coordinator.testkit.Channels;
import io.lambdafs.coordinator.testkit.CuttableChannel;
import io.lambdafs.coordinator.testkit.Environment;
import io.lambdafs.coordinator.testkit.FreezableChannel;
import io.lambdafs.coordinator.testkit.ProcessScheduler;
import io.lambdafs.model.Scheduler;
import io.lambdafs.model.Times;
import io.lambdafs.rpc.Codec;
import io.lambdafs.rpc.RpcMessages;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.memory.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/** A real ZooKeeper server, real sockets between instances, real time; only the store is in memory. */
final class ZooKeeperEnvironment implements Environment {
    private final SystemScheduler clock = new SystemScheduler("test", 4, 10_000);
    private final MemoryStore store = new MemoryStore(clock);
    private final Secret secret = Secret.generate();
    private final Tokens tokens = Tokens.signed(secret);
    private final NettyTransport transport = new NettyTransport(
            CoordinatorMessages.register(RpcMessages.register(Codec.builder())).build(),
            2,
            "test-io",
            TransportLimits.DEFAULT);
    private final EmbeddedZooKeeper server;

    private final Channels channels;
    private final Map<String, CuttableChannel> direct = new ConcurrentHashMap<>();

    ZooKeeperEnvironment(Path data) {
        this(data, Channels.FALLBACK);
    }

    ZooKeeperEnvironment(Path data, Channels channels) {
        this.channels = channels;
        server = EmbeddedZooKeeper.start(new EmbeddedZooKeeper.Settings(data, "127.0.0.1", 0, secret));
    }

    EmbeddedZooKeeper server() {
        return server;
    }

    @Override
    public Scheduler clock() {
        return clock;
    }

    @Override
    public MetadataStore store() {
        return store;
    }

    @Override
    public Times times() {
        return Times.DEFAULT;
    }

    @Override
    public Coordinator connect(ProcessScheduler process) {
        return new ZooKeeperCoordinator(
                new ZooKeeperSettings(server.connection(), "test", secret, true, times()), process);
    }

    @Override
    public InvalidationChannel channel(ProcessScheduler process, String instance, Coordinator connection) {
        CuttableChannel own = new CuttableChannel(
                new DirectChannel(transport, transport, tokens, process, DirectSettings.loopback(instance)), process);
        direct.put(instance, own);
        return new FreezableChannel(channels.over(own, connection, instance, process), process);
    }

    @Override
    public void cutDirectWay(String instance) {
        Objects.requireNonNull(direct.get(instance)).cut();
    }

    @Override
    public void loseSession(Coordinator coordinator) {
        server.expire(((ZooKeeperCoordinator) coordinator).sessionId());
    }

    @Override
    public void await(String what, BooleanSupplier condition) {
        Awaitility.await(what).pollInterval(Duration.ofMillis(2)).until(condition::getAsBoolean);
    }

    @Override
    public void close() {
        transport.close();
        server.close();
        store.close();
        clock.close();
    }
}
