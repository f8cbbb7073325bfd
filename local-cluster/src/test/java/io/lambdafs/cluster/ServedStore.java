package io.lambdafs.cluster;

import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.memory.MemoryStore;
import io.lambdafs.store.server.StoreMessages;
import io.lambdafs.store.server.StoreServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

/** A metadata store that this process serves, for commands that reach it by the store's protocol. */
public final class ServedStore implements AutoCloseable {
    private final SystemScheduler scheduler = new SystemScheduler("served-store", 1, 100);
    private final MemoryStore store = new MemoryStore(scheduler);
    private final NettyTransport transport =
            new NettyTransport(StoreMessages.codec(), 1, "served-store", TransportLimits.DEFAULT);
    private final StoreServer server;

    /** @param secret the file with the cluster's secret; created if it does not exist */
    public ServedStore(Path secret) {
        server = StoreServer.start(
                        store,
                        transport,
                        Tokens.signed(Secret.loadOrCreate(secret)),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .toCompletableFuture()
                .join();
    }

    public MemoryStore store() {
        return store;
    }

    public int port() {
        return server.address().getPort();
    }

    public String address() {
        return "127.0.0.1:" + port();
    }

    public void put(Row... rows) {
        List<Mutation> changes =
                List.of(rows).stream().<Mutation>map(Mutation.Put::new).toList();
        store.begin(0).commit(changes, Long.MAX_VALUE).toCompletableFuture().join();
    }

    @Override
    public void close() {
        server.close();
        transport.close();
        store.close();
        scheduler.close();
    }
}
