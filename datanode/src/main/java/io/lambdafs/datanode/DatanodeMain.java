package io.lambdafs.datanode;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.BlockStoreCheck;
import io.lambdafs.datanode.cache.CachedBlockStore;
import io.lambdafs.datanode.server.DatanodeServer;
import io.lambdafs.datanode.server.ServerLimits;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.rpc.ServiceMain;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.Transport;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.block.BlockMessages;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpServer;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.RpcMessages;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.rpc.objects.ObjectPlace;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsPeers;
import io.lambdafs.store.block.DeadDatanodes;
import io.lambdafs.store.server.StoreClient;
import io.lambdafs.store.server.StoreMessages;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A datanode as a process. Its single argument is a JSON file with {@link DatanodeConfig}'s keys. SIGTERM ends it after
 * the blocks being written, or after some seconds. Exit codes: 143 ended by SIGTERM, 1 the block store cannot be used,
 * 2 wrong usage or configuration, 3 an address, directory, secret or store that cannot be had.
 */
public final class DatanodeMain implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DatanodeMain.class);
    private static final int EVENT_LOOPS =
            Math.max(1, Math.min(8, Runtime.getRuntime().availableProcessors() / 2));
    private static final int TASK_QUEUE = 4_096;
    private static final long START_SECONDS = 30;
    private static final long GOODBYE_SECONDS = 2;
    private static final long DRAIN_MILLIS = 5_000;
    /** Per bucket and comparison: 16 GB of a directory in six hours. */
    private static final long SCAN_BYTES = 64L << 20;

    /** Closed last to first. */
    private final Deque<AutoCloseable> context = new ArrayDeque<>();

    private DatanodeMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        ServiceMain.run(
                DatanodeMain.class, arguments, file -> start(DatanodeConfig.load(file, System.getenv()))::close);
    }

    /**
     * Starts a datanode in this process, and waits for its first heartbeat.
     *
     * @throws FsException a fault of the secret, the metadata store, the block store or the address
     * @throws IOException the metrics address is taken, or a port file cannot be written
     */
    public static DatanodeMain start(DatanodeConfig config) throws IOException {
        DatanodeMain main = new DatanodeMain();
        try {
            main.open(config);
            return main;
        } catch (IOException | RuntimeException e) {
            main.close();
            throw e;
        }
    }

    private void open(DatanodeConfig config) throws IOException {
        Optional<Secret> secret = config.secretFile().map(Secret::load);
        SystemScheduler scheduler = part(new SystemScheduler("datanode", config.threads(), TASK_QUEUE));
        // Heartbeats must not wait behind blocks.
        SystemScheduler control = part(new SystemScheduler("datanode-control", 1, TASK_QUEUE));
        NettyTransport transport = part(new NettyTransport(
                StoreMessages.register(BlockMessages.register(RpcMessages.register(Codec.builder())))
                        .build(),
                EVENT_LOOPS,
                "datanode-io",
                ServerLimits.transport()));
        Optional<Tls> tls = config.tls().map(Tls::of);
        Tokens tokens = secret.map(Tokens::signed).orElseGet(Tokens::insecure);
        StoreClient metadata = part(
                StoreClient.connect(secured(transport, tls, TlsPeers.SERVICES), control, config.metadata(), tokens));
        BlockStore blocks = part(blockStore(config));
        String cluster = await(metadata.ready().thenCompose(ready -> ClusterId.of(metadata)), "ask the metadata store");
        BlockStoreCheck.check(blocks, ClusterId.owner(cluster, config.blockStore()));
        DatanodeMetrics metrics = new DatanodeMetrics();
        DatanodeServer server = await(
                DatanodeServer.start(
                        new DatanodeServer.Context(
                                blocks,
                                config.blockStore(),
                                BlockTokens.of(secret.orElse(null), InstantSource.system()),
                                secured(transport, tls, TlsPeers.USERS),
                                scheduler,
                                config.limits(),
                                metrics),
                        config.listen()),
                "listen");
        context.push(server);
        context.push(() -> drain(server));
        metrics.watch(server);
        if (blocks instanceof CachedBlockStore cached) {
            metrics.watch(cached);
        }
        HttpServer http = part(HttpServer.start(config.metrics(), metrics, HttpLimits.pages(), tls));
        int port = server.address().getPort();
        Heartbeats heartbeats = new Heartbeats(
                metadata,
                control,
                new DatanodeAddress(config.id(), config.advertisedHost(), port),
                blocks,
                config.blockStore());
        await(heartbeats.start(), "say that it lives");
        metrics.watch(heartbeats);
        InvalidBlocks invalid = part(new InvalidBlocks(metadata, blocks, config.blockStore(), scheduler));
        invalid.start();
        part(new DeadDatanodes(metadata, control)).start();
        part(new BlockReports(
                        metadata,
                        blocks,
                        new BlockReports.Self(
                                config.id(), config.blockStore(), config.reportPeriod(), scanBytes(config)),
                        scheduler))
                .start();
        context.push(() -> heartbeats.stop().toCompletableFuture().get(GOODBYE_SECONDS, TimeUnit.SECONDS));
        if (config.metricsPortFile().isPresent()) {
            ServiceMain.writePort(config.metricsPortFile().get(), http.port());
        }
        if (config.portFile().isPresent()) {
            ServiceMain.writePort(config.portFile().get(), port);
        }
        LOG.info(
                "Datanode {} ready at {}, blocks in {}, metrics at {}",
                config.id(),
                server.address(),
                blocks.place(),
                http.address());
    }

    private static Transport secured(Transport transport, Optional<Tls> tls, TlsPeers peers) {
        return tls.map(files -> transport.secured(files, peers)).orElse(transport);
    }

    private <T extends AutoCloseable> T part(T part) {
        context.push(part);
        return part;
    }

    /** An object store guards its bytes itself, and charges for reads. */
    private static long scanBytes(DatanodeConfig config) {
        return ObjectPlace.isOne(config.blocks()) ? 0 : SCAN_BYTES;
    }

    private static BlockStore blockStore(DatanodeConfig config) {
        if (!ObjectPlace.isOne(config.blocks())) {
            return store(config, Path.of(""));
        }
        Path own = config.cacheDirectory().orElseThrow();
        BlockStore remote = store(config, own.resolve("uploads"));
        return config.cacheBytes() == 0
                ? remote
                : CachedBlockStore.of(remote, own.resolve("copies"), config.cacheBytes());
    }

    private static BlockStore store(DatanodeConfig config, Path spool) {
        return BlockStores.open(config.blocks(), config.endpoint(), config.encryption(), config.id(), spool);
    }

    private static void drain(DatanodeServer server) throws InterruptedException {
        if (!server.drain(DRAIN_MILLIS)) {
            LOG.warn("{} blocks are dropped that were being written", server.openStreams());
        }
    }

    private static <T> T await(CompletionStage<T> stage, String what) {
        try {
            return stage.toCompletableFuture()
                    .orTimeout(START_SECONDS, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            FsException cause = FsException.of(e);
            ErrorCode code = cause.code() == ErrorCode.INTERNAL ? ErrorCode.UNAVAILABLE : cause.code();
            throw new FsException(code, "the datanode cannot " + what + ": " + cause.getMessage(), cause);
        }
    }

    @Override
    public void close() {
        LOG.info("Datanode stops");
        for (AutoCloseable part : context) {
            try {
                part.close();
            } catch (Exception e) {
                LOG.warn("A part of the datanode did not close: {}", e.toString());
            }
        }
    }
}
