package io.lambdafs.store.server;

import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.MetadataStoreContract;
import io.lambdafs.store.engine.StoreLimits;
import io.lambdafs.store.memory.MemoryStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;

/** The whole contract through the wire. */
class StoreClientTest extends MetadataStoreContract {
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    @Override
    protected MetadataStore open(Scheduler scheduler, StoreLimits limits) {
        MemoryStore store = new MemoryStore(scheduler, limits);
        parts.push(store);
        Tokens tokens = Tokens.signed(Secret.generate());
        NettyTransport transport = new NettyTransport(StoreMessages.codec(), 1, "server", TransportLimits.DEFAULT);
        parts.push(transport);
        StoreServer server = StoreServer.start(
                        store, transport, tokens, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .toCompletableFuture()
                .join();
        parts.push(server);
        NettyTransport dialler = new NettyTransport(StoreMessages.codec(), 1, "client", TransportLimits.DEFAULT);
        parts.push(dialler);
        StoreClient client = StoreClient.connect(dialler, scheduler, server.address(), tokens);
        parts.push(client);
        return client;
    }

    @Override
    protected void close(MetadataStore opened) throws Exception {
        while (!parts.isEmpty()) {
            parts.pop().close();
        }
    }
}
