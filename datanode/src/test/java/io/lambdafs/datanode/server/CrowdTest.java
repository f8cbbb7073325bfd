package io.lambdafs.datanode.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.ForwardingBlockStore;
import io.lambdafs.datanode.local.LocalBlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.model.testkit.Waits;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.block.BlockBytes;
import io.lambdafs.rpc.block.BlockMessages;
import io.lambdafs.rpc.block.BlockToken;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.rpc.block.FinishWrite;
import io.lambdafs.rpc.block.OpenWrite;
import io.lambdafs.rpc.block.ReadBlock;
import io.lambdafs.rpc.block.Seal;
import io.lambdafs.rpc.block.WriteChunk;
import io.lambdafs.rpc.block.WriteFinished;
import io.lambdafs.rpc.block.WriteOpened;
import io.lambdafs.rpc.message.DeafPeer;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.netty.NettyTransport;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocatorMetric;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a datanode under many connections, and under one that asks for much. */
class CrowdTest {
    private static final String STORE = "blocks";
    private static final long NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final ServerLimits LIMITS =
            new ServerLimits(WriteChunk.MAX_BYTES, 8L * WriteChunk.MAX_BYTES, Duration.ofMinutes(1));

    private static final int HELD = 32 << 20;

    @TempDir
    Path folder;

    private final BlockTokens tokens = BlockTokens.of(Secret.of("a cluster"), InstantSource.system());
    private final SystemScheduler scheduler = new SystemScheduler("datanode", 8, 10_000);
    private final NettyTransport serving = new NettyTransport(
            BlockMessages.codec(), 1, "datanode-io", ServerLimits.transport().withMaxHeldBytes(HELD));
    private final NettyTransport calling =
            new NettyTransport(BlockMessages.codec(), 1, "client-io", TransportLimits.DEFAULT);
    private final AtomicReference<CountDownLatch> disk = new AtomicReference<>(new CountDownLatch(0));
    private DatanodeServer server;

    /** Writes nothing until the latch is open. */
    private static final class SlowStore extends ForwardingBlockStore {
        private final AtomicReference<CountDownLatch> disk;

        SlowStore(BlockStore behind, AtomicReference<CountDownLatch> disk) {
            super(behind);
            this.disk = disk;
        }

        @Override
        public Upload upload(String key) {
            Upload upload = super.upload(key);
            return new Upload() {
                @Override
                public void write(byte[] bytes, int offset, int length) {
                    try {
                        disk.get().await();
                    } catch (InterruptedException stopping) {
                        Thread.currentThread().interrupt();
                    }
                    upload.write(bytes, offset, length);
                }

                @Override
                public void commit() {
                    upload.commit();
                }

                @Override
                public void close() {
                    upload.close();
                }
            };
        }
    }

    @BeforeEach
    void start() {
        server = DatanodeServer.start(
                        new DatanodeServer.Context(
                                new SlowStore(LocalBlockStore.open(folder, "dn-1"), disk),
                                STORE,
                                tokens,
                                serving,
                                scheduler,
                                LIMITS,
                                TransferObserver.NONE),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .toCompletableFuture()
                .join();
    }

    @AfterEach
    void stop() {
        calling.close();
        server.close();
        serving.close();
        scheduler.close();
    }

    private static <T> T done(CompletionStage<T> stage) {
        return Waits.join(stage);
    }

    private Connection connect() {
        Connection connection = done(calling.connect(server.address(), new ConnectionHandler() {
            @Override
            public void request(Connection from, Message message, Consumer<Message> reply) {
                throw new IllegalStateException("a datanode asks nothing");
            }
        }));
        connection.markAuthenticated();
        return connection;
    }

    private static long expiry() {
        return System.currentTimeMillis() + 60_000;
    }

    private OpenWrite opening(long id, String user) {
        return new OpenWrite(tokens.mint(
                BlockToken.toWrite(new Block(id, 1, 16 << 20, 0), user, STORE, ObjectKey.of(id, 1, id), expiry())));
    }

    private Message open(Connection on, long id, String user) {
        return done(on.request(opening(id, user), NANOS));
    }

    private static CompletionStage<Message> chunk(Connection on, Message opened, byte[] bytes) {
        long stream = ((WriteOpened) opened).stream();
        return on.request(new WriteChunk(stream, 0, bytes, Seal.crc(bytes, 0, bytes.length)), NANOS);
    }

    private static ErrorCode code(Message message) {
        return ((Failed) message).code();
    }

    private Block write(Connection on, long id, byte[] bytes) {
        Message opened = open(on, id, "user");
        assertThat(done(chunk(on, opened, bytes))).isEqualTo(Done.DONE);
        FinishWrite finish =
                new FinishWrite(((WriteOpened) opened).stream(), bytes.length, Seal.crc(bytes, 0, bytes.length));
        return ((WriteFinished) done(on.request(finish, NANOS))).block();
    }

    @Test
    void shouldRefuseASecondOpenOfOneAttempt() {
        Connection first = connect();
        assertThat(open(first, 1, "user")).isInstanceOf(WriteOpened.class);

        assertThat(code(open(connect(), 1, "user"))).isEqualTo(ErrorCode.NOT_READY);
        assertThat(code(open(first, 1, "user"))).isEqualTo(ErrorCode.NOT_READY);

        first.close();
        Connection again = connect();
        await().until(() -> open(again, 1, "user") instanceof WriteOpened);
    }

    @Test
    void shouldOpenManyMoreBlocksThanHaveRoomForTheirBytesAtOnce() {
        List<Message> opened = new ArrayList<>();
        for (int i = 0; i < 130; i++) {
            opened.add(open(connect(), 100 + i, "user"));
        }

        assertThat(opened).allMatch(WriteOpened.class::isInstance);
        assertThat(server.freeBufferBytes()).isEqualTo(LIMITS.bufferBytes());
        assertThat(((WriteOpened) opened.get(0)).windowBytes()).isEqualTo(LIMITS.windowBytes());
        assertThat(((WriteOpened) opened.get(129)).windowBytes()).isEqualTo(LIMITS.windowBytes() / 4);
    }

    @Test
    void shouldKeepSomeBlocksForOtherUsers() {
        List<Connection> held = Stream.generate(this::connect).limit(20).toList();
        int most = 0;
        while (open(held.get(most % held.size()), 1_000 + most, "greedy") instanceof WriteOpened) {
            most++;
        }
        assertThat(most).isEqualTo(ServerLimits.STREAMS / 4 * 3);

        Connection honest = connect();
        for (int i = 0; i < 50; i++) {
            assertThat(open(honest, 5_000 + i, "honest")).isInstanceOf(WriteOpened.class);
        }
        held.forEach(Connection::close);
        await().until(() -> server.openStreams() == 50);
    }

    @Test
    void shouldKeepSomeMemoryForOtherUsers() {
        byte[] bytes = new byte[WriteChunk.MAX_BYTES / 4];
        int most = (int) LIMITS.bufferBytes() / bytes.length;
        Connection by = connect();
        List<Message> opened = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            opened.add(open(by, 100 + i, "greedy"));
        }
        Connection honest = connect();
        Message own = open(honest, 1, "honest");
        CountDownLatch slow = new CountDownLatch(1);
        disk.set(slow);

        List<CompletionStage<Message>> greedy =
                opened.stream().map(each -> chunk(by, each, bytes)).toList();
        await().until(() -> server.freeBufferBytes() == LIMITS.bufferBytes() / 4);
        CompletionStage<Message> taken = chunk(honest, own, bytes);
        await().until(() -> server.freeBufferBytes() == LIMITS.bufferBytes() / 4 - bytes.length);

        slow.countDown();
        assertThat(done(taken)).isEqualTo(Done.DONE);
        assertThat(greedy.stream().map(CrowdTest::done))
                .filteredOn(Failed.class::isInstance)
                .hasSize(most / 4)
                .allMatch(each -> code(each) == ErrorCode.OVERLOADED);
        assertThat(server.freeBufferBytes()).isEqualTo(LIMITS.bufferBytes());
    }

    @Test
    void shouldForgetBlocksOfAConnectionThatAreFinished() {
        Connection one = connect();
        for (int i = 0; i < 2 * ServerLimits.STREAMS_PER_CONNECTION; i++) {
            write(one, 10 + i, new byte[] {1, 2, 3});
        }
        assertThat(server.openStreams()).isZero();
    }

    @Test
    void shouldLimitHowManyBlocksAConnectionWrites() {
        Connection one = connect();
        for (int i = 0; i < ServerLimits.STREAMS_PER_CONNECTION; i++) {
            assertThat(open(one, 10 + i, "user")).isInstanceOf(WriteOpened.class);
        }
        assertThat(code(open(one, 9, "user"))).isEqualTo(ErrorCode.OVERLOADED);
    }

    @Test
    void shouldAnswerAsMuchAsMayBeAskedForAndRefuseTheRest() {
        byte[] content = new byte[1 << 20];
        Block block = write(connect(), 1, content);
        byte[] token = tokens.mint(new BlockToken(BlockToken.Mode.READ, block, STORE, ObjectKey.of(1, 1, 1), expiry()));
        Connection reader = connect();
        List<CompletionStage<Message>> asked = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            asked.add(reader.request(new ReadBlock(token, 1, content.length - 1), NANOS));
        }
        List<Message> answers = asked.stream().map(CrowdTest::done).toList();

        assertThat(answers).filteredOn(BlockBytes.class::isInstance).hasSizeGreaterThanOrEqualTo(7);
        assertThat(answers)
                .filteredOn(Failed.class::isInstance)
                .isNotEmpty()
                .allMatch(each -> code(each) == ErrorCode.OVERLOADED);
        // All room is free again.
        for (int i = 0; i < 20; i++) {
            assertThat(done(reader.request(new ReadBlock(token, 1, content.length - 1), NANOS)))
                    .isInstanceOf(BlockBytes.class);
        }
    }

    @Test
    void shouldHoldOnlySoMuchForReadersThatStop() throws IOException {
        byte[] content = new byte[WriteChunk.MAX_BYTES];
        Block block = write(connect(), 1, content);
        byte[] token = tokens.mint(new BlockToken(BlockToken.Mode.READ, block, STORE, ObjectKey.of(1, 1, 1), expiry()));
        PooledByteBufAllocatorMetric buffers = PooledByteBufAllocator.DEFAULT.metric();
        long before = buffers.usedDirectMemory();
        List<DeafPeer> deaf = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                deaf.add(new DeafPeer(server.address(), BlockMessages.codec()));
            }
            AtomicInteger closed = new AtomicInteger();
            await().until(() -> {
                for (DeafPeer each : deaf) {
                    for (int i = 0; i < 25; i++) {
                        if (!each.ask(new ReadBlock(token, 1, content.length - 1))) {
                            closed.incrementAndGet();
                        }
                    }
                }
                // What is held, what is read at once, and what allocators keep.
                assertThat(buffers.usedDirectMemory() - before).isLessThan(HELD + (32 << 20));
                return closed.get() > 0;
            });
            assertThat(done(connect().request(new ReadBlock(token, 1, content.length - 1), NANOS)))
                    .isInstanceOf(BlockBytes.class);
        } finally {
            for (DeafPeer each : deaf) {
                each.close();
            }
        }
    }
}
