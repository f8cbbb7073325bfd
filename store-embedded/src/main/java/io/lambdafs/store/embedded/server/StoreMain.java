package io.lambdafs.store.embedded.server;

import io.lambdafs.model.FsException;
import io.lambdafs.rpc.ServiceMain;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpServer;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.store.embedded.RocksStore;
import io.lambdafs.store.server.StoreMessages;
import io.lambdafs.store.server.StoreServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store as a process. Its single argument is a JSON file with {@link StoreConfig}'s keys. SIGTERM ends it after what was
 * accepted is durable. Exit codes: 143 ended by SIGTERM, 70 a thread of it died, 1 the data cannot be used, 2 wrong usage or configuration, 3 an address,
 * directory or secret that cannot be had.
 */
public final class StoreMain implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreMain.class);
    /** Longer than a client takes, while processors are free, to hear of the locks and to invalidate what others cache. */
    private static final Duration LOOKOUT = Duration.ofNanos(200_000);
    /** The commit thread, and the processes that call, want processors too. */
    private static final int EVENT_LOOPS =
            Math.max(1, Math.min(8, Runtime.getRuntime().availableProcessors() / 2));

    /** Closed last to first. */
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    private StoreMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        ServiceMain.run(StoreMain.class, arguments, file -> start(StoreConfig.load(file))::close);
    }

    /**
     * Starts a store server in this process.
     *
     * @throws FsException as {@link RocksStore#open} and {@link Secret#load} say, and {@code UNAVAILABLE}: the address is taken
     * @throws IOException the metrics address is taken, or a port file cannot be written
     */
    public static StoreMain start(StoreConfig config) throws IOException {
        StoreMain main = new StoreMain();
        try {
            main.open(config);
            return main;
        } catch (IOException | RuntimeException e) {
            main.close();
            throw e;
        }
    }

    private void open(StoreConfig config) throws IOException {
        Tokens tokens = config.secretFile().isPresent()
                ? Tokens.signed(Secret.load(config.secretFile().get()))
                : Tokens.insecure();
        StoreMetrics metrics = new StoreMetrics();
        NettyTransport transport =
                new NettyTransport(StoreMessages.codec(), EVENT_LOOPS, "store-io", transportLimits(config));
        parts.push(transport);
        // A commit's answer goes from the commit thread to an event loop, and on the way to nobody else.
        RocksStore store = RocksStore.open(transport.scheduler(), config.limits(), config.settings(), metrics);
        parts.push(store);
        metrics.watch(store);
        StoreServer server = start(store, transport, tokens, config);
        parts.push(server);
        HttpServer http = HttpServer.start(config.metrics(), metrics, HttpLimits.pages());
        parts.push(http);
        if (config.metricsPortFile().isPresent()) {
            ServiceMain.writePort(config.metricsPortFile().get(), http.port());
        }
        if (config.portFile().isPresent()) {
            ServiceMain.writePort(config.portFile().get(), server.address().getPort());
        }
        LOG.info("Store ready at {}, metrics at {}", server.address(), http.address());
    }

    private static TransportLimits transportLimits(StoreConfig config) {
        int inFlight = Math.min(config.limits().maxTransactions(), TransportLimits.MAX_IN_FLIGHT);
        return TransportLimits.DEFAULT.withMaxInFlightPerConnection(inFlight).withLookout(LOOKOUT);
    }

    private static StoreServer start(RocksStore store, NettyTransport transport, Tokens tokens, StoreConfig config) {
        try {
            return StoreServer.start(store, transport, tokens, config.listen())
                    .toCompletableFuture()
                    .join();
        } catch (RuntimeException e) {
            throw FsException.of(e);
        }
    }

    @Override
    public void close() {
        LOG.info("Store stops");
        for (AutoCloseable part : parts) {
            try {
                part.close();
            } catch (Exception e) {
                LOG.warn("A part of the store did not close", e);
            }
        }
    }
}
