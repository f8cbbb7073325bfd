package io.lambdafs.coordinator.store;

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
import io.lambdafs.store.StoreLimits;
import io.lambdafs.store.embedded.RocksSettings;
import io.lambdafs.store.embedded.RocksStore;
import io.lambdafs.store.server.StoreClient;
import io.lambdafs.store.server.StoreMessages;
import io.lambdafs.store.server.StoreServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/** A real embedded store behind its server, a connection to it for each coordinator, real sockets, real time. */
final class StoreServerEnvironment implements Environment {
    private final SystemScheduler clock = new SystemScheduler("test", 4, 10_000);
    private final Tokens tokens = Tokens.signed(Secret.generate());
    private final NettyTransport transport = new NettyTransport(
            StoreMessages.register(CoordinatorMessages.register(RpcMessages.register(Codec.builder())))
                    .build(),
            2,
            "test-io",
            TransportLimits.DEFAULT);
    private final Channels channels;
    private final Map<String, CuttableChannel> direct = new ConcurrentHashMap<>();
    private final MetadataStore store;
    private final StoreServer server;
    private final List<StoreClient> clients = new ArrayList<>();

    StoreServerEnvironment(Path data, Channels channels) {
        this.channels = channels;
        store = RocksStore.open(clock, StoreLimits.defaults(), RocksSettings.of(data));
        server = StoreServer.start(store, transport, tokens, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .toCompletableFuture()
                .join();
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
        StoreClient client = StoreClient.connect(transport, process, server.address(), tokens);
        clients.add(client);
        return new StoreCoordinator(client, process, times());
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
        ((StoreCoordinator) coordinator).endSession();
    }

    @Override
    public void await(String what, BooleanSupplier condition) {
        Awaitility.await(what).pollInterval(Duration.ofMillis(2)).until(condition::getAsBoolean);
    }

    @Override
    public void close() {
        clients.forEach(StoreClient::close);
        server.close();
        transport.close();
        store.close();
        clock.close();
    }
}
