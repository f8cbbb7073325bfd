package io.lambdafs.store.embedded.server;

import io.lambdafs.model.Scheduler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.MetadataStoreContract;
import io.lambdafs.store.StoreLimits;
import io.lambdafs.store.embedded.RocksSettings;
import io.lambdafs.store.embedded.RocksStore;
import io.lambdafs.store.server.StoreClient;
import io.lambdafs.store.server.StoreMessages;
import io.lambdafs.store.server.StoreServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.io.TempDir;

/** The whole contract through the wire. */
class StoreClientTest extends MetadataStoreContract {
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    @TempDir
    private Path folder;

    @Override
    protected MetadataStore open(Scheduler scheduler, StoreLimits limits) throws IOException {
        Path directory = Files.createTempDirectory(folder, "store");
        RocksStore store = RocksStore.open(scheduler, limits, RocksSettings.of(directory));
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
