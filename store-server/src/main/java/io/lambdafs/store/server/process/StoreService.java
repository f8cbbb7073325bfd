package io.lambdafs.store.server.process;

import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.ServiceMain;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpServer;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsPeers;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.ServedStore;
import io.lambdafs.store.engine.StoreLimits;
import io.lambdafs.store.server.StoreMessages;
import io.lambdafs.store.server.StoreServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running store server: an engine, its transport and its pages. Closed once, by its creator. */
public final class StoreService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreService.class);
    /** Longer than a client takes, on an idle machine, to receive the locks and run an invalidation round. */
    private static final Duration LOOKOUT = Duration.ofNanos(200_000);
    /** Leaves processors for the commit thread and the calling processes. */
    private static final int EVENT_LOOPS =
            Math.max(1, Math.min(8, Runtime.getRuntime().availableProcessors() / 2));

    /** Closed in reverse order. */
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    private StoreService() {}

    /** Opens an engine. */
    @FunctionalInterface
    public interface Engine {
        ServedStore open(Scheduler scheduler, StoreLimits limits, CommitObserver observer) throws IOException;
    }

    /**
     * Starts a store server in this process.
     *
     * @throws FsException as the engine and {@link Secret#load} say, and {@code UNAVAILABLE}: the address is taken
     * @throws IOException the metrics address is taken, or a port file cannot be written
     */
    public static StoreService start(ServiceConfig config, Engine engine) throws IOException {
        StoreService service = new StoreService();
        try {
            service.open(config, engine);
            return service;
        } catch (IOException | RuntimeException e) {
            service.close();
            throw e;
        }
    }

    private void open(ServiceConfig config, Engine engine) throws IOException {
        Tokens tokens = config.secretFile().isPresent()
                ? Tokens.signed(Secret.load(config.secretFile().get()))
                : Tokens.insecure();
        Optional<Tls> tls = config.tls().map(Tls::of);
        StoreMetrics metrics = new StoreMetrics();
        NettyTransport transport =
                new NettyTransport(StoreMessages.codec(), EVENT_LOOPS, "store-io", transportLimits(config));
        parts.push(transport);
        // A commit's answer goes directly from the commit thread to an event loop.
        StandbyStore.Opening opening = () -> engine.open(transport.scheduler(), config.limits(), metrics);
        Optional<StandbyStore> standby = config.standby() ? Optional.of(new StandbyStore(opening)) : Optional.empty();
        ServedStore store = standby.isPresent() ? standby.get() : opening.open();
        parts.push(store);
        metrics.watch(store);
        Transport serving =
                tls.map(files -> transport.secured(files, TlsPeers.SERVICES)).orElse(transport);
        Supplier<Optional<FsException>> refusal = () -> standby.flatMap(StandbyStore::refusal);
        StoreServer server = start(store, refusal, serving, tokens, config);
        parts.push(server);
        HttpServer http = HttpServer.start(config.metrics(), metrics, HttpLimits.pages(), tls);
        parts.push(http);
        if (config.metricsPortFile().isPresent()) {
            ServiceMain.writePort(config.metricsPortFile().get(), http.port());
        }
        if (config.portFile().isPresent()) {
            ServiceMain.writePort(config.portFile().get(), server.address().getPort());
        }
        LOG.info("Store ready at {}, metrics at {}", server.address(), http.address());
        standby.ifPresent(StandbyStore::start);
    }

    private static TransportLimits transportLimits(ServiceConfig config) {
        int inFlight = Math.min(config.limits().maxTransactions(), TransportLimits.MAX_IN_FLIGHT);
        return TransportLimits.DEFAULT.withMaxInFlightPerConnection(inFlight).withLookout(LOOKOUT);
    }

    private static StoreServer start(
            ServedStore store,
            Supplier<Optional<FsException>> refusal,
            Transport transport,
            Tokens tokens,
            ServiceConfig config) {
        try {
            return StoreServer.start(store, refusal, transport, tokens, config.listen())
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
