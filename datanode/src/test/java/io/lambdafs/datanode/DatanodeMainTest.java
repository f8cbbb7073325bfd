package io.lambdafs.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lambdafs.client.block.BlockReader;
import io.lambdafs.client.block.BlockWriter;
import io.lambdafs.client.block.DatanodeTransfer;
import io.lambdafs.datanode.block.BlockStoreCheck;
import io.lambdafs.datanode.s3.S3Endpoint;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.block.BlockMessages;
import io.lambdafs.rpc.block.BlockToken;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.store.block.Datanode;
import io.lambdafs.store.block.LiveDatanodes;
import io.lambdafs.store.memory.MemoryStore;
import io.lambdafs.store.server.StoreMessages;
import io.lambdafs.store.server.StoreServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole datanode in this process, beside a store server. */
class DatanodeMainTest {
    private static final String STORE = "local";

    @TempDir
    Path folder;

    private final SystemScheduler scheduler = new SystemScheduler("test", 4, 1_000);
    private final MemoryStore metadata = new MemoryStore(scheduler);
    private final NettyTransport storeTransport =
            new NettyTransport(StoreMessages.codec(), 1, "store-io", TransportLimits.DEFAULT);
    private final NettyTransport calling =
            new NettyTransport(BlockMessages.codec(), 1, "client-io", TransportLimits.DEFAULT);
    private final LiveDatanodes live = new LiveDatanodes(metadata, scheduler);
    private Secret secret;
    private StoreServer storeServer;

    @BeforeEach
    void start() {
        secret = Secret.loadOrCreate(folder.resolve("secret"));
        storeServer = done(StoreServer.start(
                metadata,
                storeTransport,
                Tokens.signed(secret),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    }

    @AfterEach
    void stop() {
        storeServer.close();
        calling.close();
        storeTransport.close();
        metadata.close();
        scheduler.close();
    }

    private static <T> T done(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private DatanodeConfig config(String more) throws IOException {
        return config(more, folder.resolve("blocks").toString());
    }

    private DatanodeConfig config(String more, String blocks) throws IOException {
        Path file = folder.resolve("datanode.json");
        Files.writeString(
                file,
                "{\"id\": \"datanode-1\", \"store\": \"127.0.0.1:"
                        + storeServer.address().getPort()
                        + "\", \"blockStore\": \"" + STORE + "\", \"blocks\": \"" + blocks
                        + "\", \"secretFile\": \"" + folder.resolve("secret") + "\", \"metricsPortFile\": \""
                        + folder.resolve("metrics.port") + "\"" + more + "}");
        return DatanodeConfig.load(file, Map.of());
    }

    private LocatedBlock located(BlockToken.Mode mode, Block block, Datanode datanode) {
        String key = ObjectKey.of(1, 1, 1);
        byte[] token = BlockTokens.of(secret, InstantSource.system())
                .mint(new BlockToken(mode, block, STORE, key, System.currentTimeMillis() + 60_000));
        return new LocatedBlock(block, 0, STORE, key, List.of(datanode.address()), token);
    }

    private String page(String path) throws Exception {
        String port = Files.readString(folder.resolve("metrics.port")).strip();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void shouldServeBlocksSayThatItLivesAndTellWhenItStops() throws Exception {
        ByteBuffer content = ByteBuffer.wrap("a block".getBytes(StandardCharsets.UTF_8));
        DatanodeMain main = DatanodeMain.start(config(""));
        try (DatanodeTransfer transfer = new DatanodeTransfer(calling, scheduler)) {
            Datanode datanode = done(live.live()).get(0);
            assertThat(datanode.address().id()).isEqualTo("datanode-1");
            assertThat(datanode.store()).isEqualTo(STORE);
            assertThat(datanode.freeBytes()).isPositive();

            BlockWriter writer = transfer.write(located(BlockToken.Mode.WRITE, new Block(1, 1, 100, 0), datanode));
            done(writer.write(content.duplicate()));
            Block block = done(writer.finish()).block();
            try (BlockReader reader = transfer.read(located(BlockToken.Mode.READ, block, datanode))) {
                assertThat(done(reader.read(0, content.remaining()))).isEqualTo(content);
            }
            assertThat(page("/healthz")).isEqualTo("ok\n");
            assertThat(page("/metrics")).contains("lambdafs_datanode_written_bytes_total 7.0");
        } finally {
            main.close();
        }
        await().until(() -> done(live.live()).isEmpty());
        assertThat(datanode().state()).isEqualTo(Datanode.State.STOPPED);
    }

    @Tag("slow")
    @Test
    void shouldSayThatItsDirectoryIsGoneAndThatItIsBack() throws Exception {
        Path blocks = folder.resolve("blocks");
        try (DatanodeMain main = DatanodeMain.start(config(""))) {
            Files.move(blocks, folder.resolve("elsewhere"));
            await().untilAsserted(() ->
                    assertThat(page("/healthz")).contains("no heartbeat").contains(blocks.toString()));
            assertThat(main).isNotNull();

            Files.move(folder.resolve("elsewhere"), blocks);
            await().untilAsserted(() -> assertThat(page("/healthz")).isEqualTo("ok\n"));
        }
    }

    @Test
    void shouldRefuseADirectoryOfAnotherCluster() throws IOException {
        DatanodeMain.start(config("")).close();
        Files.writeString(folder.resolve("blocks").resolve(BlockStoreCheck.MARKER), "another");

        assertThatThrownBy(() -> DatanodeMain.start(config("")))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessageContaining("belongs to the cluster another");
    }

    /** Threads and ports that stay would keep a second attempt from starting. */
    @Test
    void shouldCloseWhatIsOpenWhereItDoesNotStart() throws IOException {
        Path taken = Files.createDirectory(folder.resolve("taken"));

        assertThatThrownBy(() -> DatanodeMain.start(config(", \"portFile\": \"" + taken + "\"")))
                .isInstanceOf(IOException.class);

        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("datanode-control") || name.startsWith("datanode-io")));
        assertThat(datanode().state()).isEqualTo(Datanode.State.STOPPED);
    }

    private Datanode datanode() {
        return metadata.rows().stream()
                .filter(row -> row.key().equals(Datanode.key("datanode-1")))
                .map(Datanode::of)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldKeepBlocksInAnObjectStoreAndCopiesOnItsDisk() throws Exception {
        byte[] content = "a block".getBytes(StandardCharsets.UTF_8);
        Path cache = folder.resolve("cache");
        System.setProperty("aws.accessKeyId", S3Endpoint.USER);
        System.setProperty("aws.secretAccessKey", S3Endpoint.password());
        try (S3Endpoint objects = S3Endpoint.start()) {
            objects.makeBucket("bucket");
            DatanodeConfig config = config(
                    ", \"endpoint\": \"" + objects.address() + "\", \"cacheBytes\": 1000, \"cacheDirectory\": \""
                            + cache + "\"",
                    "s3://bucket");
            try (DatanodeMain main = DatanodeMain.start(config);
                    DatanodeTransfer transfer = new DatanodeTransfer(calling, scheduler)) {
                assertThat(main).isNotNull();
                BlockWriter writer =
                        transfer.write(located(BlockToken.Mode.WRITE, new Block(1, 1, 100, 0), datanode()));
                done(writer.write(ByteBuffer.wrap(content)));
                Block block = done(writer.finish()).block();
                try (BlockReader reader = transfer.read(located(BlockToken.Mode.READ, block, datanode()))) {
                    assertThat(done(reader.read(0, content.length))).isEqualTo(ByteBuffer.wrap(content));
                }
                assertThat(cache.resolve("copies").resolve(ObjectKey.of(1, 1, 1).replace('/', '+')))
                        .exists();
                // The writer is answered before its upload is closed.
                await().untilAsserted(() -> assertThat(cache.resolve("uploads")).isEmptyDirectory());
                assertThat(page("/metrics")).contains("lambdafs_datanode_cache_hits_total 2.0");
            }
        } finally {
            System.clearProperty("aws.accessKeyId");
            System.clearProperty("aws.secretAccessKey");
        }
    }
}
