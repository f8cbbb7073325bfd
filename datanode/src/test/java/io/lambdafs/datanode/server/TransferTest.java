package io.lambdafs.datanode.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lambdafs.client.block.BlockReader;
import io.lambdafs.client.block.BlockWriter;
import io.lambdafs.client.block.DatanodeTransfer;
import io.lambdafs.client.block.WrittenBlock;
import io.lambdafs.datanode.FaultyProxy;
import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.ForwardingBlockStore;
import io.lambdafs.datanode.cache.CachedBlockStore;
import io.lambdafs.datanode.local.LocalBlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.model.testkit.Waits;
import io.lambdafs.rpc.FileSlice;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.block.BlockMessages;
import io.lambdafs.rpc.block.BlockToken;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.rpc.block.Seal;
import io.lambdafs.rpc.block.WriteChunk;
import io.lambdafs.rpc.netty.NettyTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients and datanodes over sockets, on a directory. */
class TransferTest {
    private static final String STORE = "blocks";
    private static final long MAX_BLOCK = 64 << 20;

    @TempDir
    Path folder;

    private final BlockTokens tokens = BlockTokens.of(Secret.of("a cluster"), InstantSource.system());
    private final SystemScheduler scheduler = new SystemScheduler("datanode", 8, 10_000);
    private final NettyTransport serving =
            new NettyTransport(BlockMessages.codec(), 1, "datanode-io", ServerLimits.transport());
    private final NettyTransport calling =
            new NettyTransport(BlockMessages.codec(), 1, "client-io", TransportLimits.DEFAULT);
    private final DatanodeTransfer transfer = new DatanodeTransfer(calling, scheduler);
    private final Deque<DatanodeServer> servers = new ArrayDeque<>();
    private final List<DatanodeAddress> datanodes = new ArrayList<>();

    @BeforeEach
    void start() {
        serve(ServerLimits.DEFAULT);
    }

    private DatanodeServer serve(ServerLimits limits) {
        return serve(LocalBlockStore.open(folder, "dn-" + (servers.size() + 1)), limits);
    }

    private DatanodeServer serve(BlockStore store, ServerLimits limits) {
        String id = "dn-" + (servers.size() + 1);
        DatanodeServer server = DatanodeServer.start(
                        new DatanodeServer.Context(
                                store, STORE, tokens, serving, scheduler, limits, TransferObserver.NONE),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .toCompletableFuture()
                .join();
        servers.add(server);
        datanodes.add(new DatanodeAddress(id, "127.0.0.1", server.address().getPort()));
        return server;
    }

    @AfterEach
    void stop() {
        transfer.close();
        servers.forEach(DatanodeServer::close);
        calling.close();
        serving.close();
        scheduler.close();
    }

    private LocatedBlock located(BlockToken.Mode mode, Block block, String key) {
        long expiry = System.currentTimeMillis() + 60_000;
        byte[] token = tokens.mint(new BlockToken(mode, block, STORE, key, expiry));
        return new LocatedBlock(block, 0, STORE, key, datanodes, token);
    }

    private LocatedBlock target(long id, long generation) {
        return located(
                BlockToken.Mode.WRITE, new Block(id, generation, MAX_BLOCK, 0), ObjectKey.of(id, generation, id));
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static <T> T done(CompletionStage<T> stage) {
        return Waits.join(stage);
    }

    private Block write(LocatedBlock target, byte[] content) {
        BlockWriter writer = transfer.write(target);
        for (int at = 0; at < content.length; at += 100_000) {
            done(writer.write(ByteBuffer.wrap(content, at, Math.min(100_000, content.length - at))));
        }
        WrittenBlock written = done(writer.finish());
        assertThat(tokens.isReceipt(written.receipt(), written.block(), STORE, target.key()))
                .isTrue();
        return written.block();
    }

    private LocatedBlock written(long id, byte[] content) {
        LocatedBlock target = target(id, 1);
        return located(BlockToken.Mode.READ, write(target, content), target.key());
    }

    private byte[] read(LocatedBlock source, long offset, int length) {
        try (BlockReader reader = transfer.read(source)) {
            ByteBuffer read = done(reader.read(offset, length));
            byte[] bytes = new byte[read.remaining()];
            read.get(bytes);
            return bytes;
        }
    }

    private static void assertFails(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .satisfies(thrown -> assertThat(FsException.of(thrown).code()).isEqualTo(code));
    }

    private Path file(LocatedBlock block) {
        return folder.resolve(block.key());
    }

    @Test
    void shouldReadBackBlocksOfEverySize() {
        int[] sizes = {1, 2, 65_535, 65_536, 65_537, 262_144, 262_145, 1_048_576, 5_000_000};
        for (int size : sizes) {
            byte[] content = bytes(size);
            LocatedBlock block = written(size, content);

            assertThat(block.block().length()).isEqualTo(size);
            assertThat(read(block, 0, size)).isEqualTo(content);
        }
        await().untilAsserted(() -> assertThat(servers.getFirst().openStreams()).isZero());
        assertThat(servers.getFirst().freeBufferBytes()).isEqualTo(ServerLimits.DEFAULT.bufferBytes());
    }

    @Test
    void shouldKeepTheOrderOfBytesWhileAcknowledgementsComeIn() {
        for (int i = 1; i <= 20; i++) {
            byte[] content = bytes(3_000_000 + i);
            BlockWriter writer = transfer.write(target(i, 1));
            for (int at = 0; at < content.length; at += 50_000) {
                done(writer.write(ByteBuffer.wrap(content, at, Math.min(50_000, content.length - at))));
            }

            assertThat(done(writer.finish()).block().length()).isEqualTo(content.length);
        }
    }

    @Test
    void shouldReadAnyRange() {
        byte[] content = bytes(1_000_000);
        LocatedBlock block = written(1, content);
        Random random = new Random(1);
        for (int i = 0; i < 200; i++) {
            int offset = random.nextInt(content.length);
            int length = 1 + random.nextInt(Math.min(200_000, content.length - offset));

            assertThat(read(block, offset, length)).isEqualTo(Arrays.copyOfRange(content, offset, offset + length));
        }
        assertFails(ErrorCode.INVALID_ARGUMENT, () -> read(block, content.length, 1));
        assertFails(ErrorCode.INVALID_ARGUMENT, () -> read(block, 0, content.length + 1));
    }

    @Test
    void shouldRefuseAWriterWhoseLeaseWasTaken() {
        BlockWriter old = transfer.write(target(1, 1));
        BlockWriter oldAndWhole =
                transfer.write(located(BlockToken.Mode.WRITE, new Block(1, 1, MAX_BLOCK, 0), ObjectKey.of(1, 1, 2)));
        done(old.write(ByteBuffer.wrap(bytes(300_000))));
        // One whole chunk: nothing but the end is left to be sent.
        done(oldAndWhole.write(ByteBuffer.wrap(bytes(256 << 10))));
        await().until(() -> servers.getFirst().openStreams() == 2);

        write(target(1, 2), bytes(10));

        assertFails(ErrorCode.STALE_GENERATION, () -> done(old.finish()));
        assertFails(ErrorCode.STALE_GENERATION, () -> done(oldAndWhole.finish()));
        assertFails(ErrorCode.STALE_GENERATION, () -> write(target(1, 1), bytes(10)));
        assertThat(folder.resolve(ObjectKey.of(1, 1, 1))).doesNotExist();
        assertThat(folder.resolve(ObjectKey.of(1, 2, 1))).exists();
    }

    @Test
    void shouldDropAWriteThatPausesAndOneWhoseWriterIsGone() {
        datanodes.clear();
        DatanodeServer impatient =
                serve(new ServerLimits(WriteChunk.MAX_BYTES, 8L * WriteChunk.MAX_BYTES, Duration.ofMillis(200)));
        BlockWriter idle = transfer.write(target(1, 1));
        done(idle.write(ByteBuffer.wrap(bytes(300_000))));
        await().until(() -> impatient.openStreams() == 1);
        await().until(() -> impatient.openStreams() == 0);
        assertFails(ErrorCode.NOT_FOUND, () -> done(idle.finish()));

        BlockWriter gone = transfer.write(target(2, 1));
        done(gone.write(ByteBuffer.wrap(bytes(300_000))));
        await().until(() -> impatient.openStreams() == 1);
        gone.abort();
        await().until(() -> impatient.openStreams() == 0);
        await().until(() -> drafts() == 0);
        assertThat(impatient.freeBufferBytes()).isEqualTo(8L * WriteChunk.MAX_BYTES);
    }

    private long drafts() throws IOException {
        try (var all = Files.walk(folder.resolve("uploads"))) {
            return all.filter(Files::isRegularFile).count();
        }
    }

    @Test
    void shouldRefuseABlockThatWouldBecomeTooLong() {
        LocatedBlock small = located(BlockToken.Mode.WRITE, new Block(1, 1, 1_000, 0), ObjectKey.of(1, 1, 1));

        assertFails(ErrorCode.INVALID_ARGUMENT, () -> write(small, bytes(1_001)));
        assertFails(ErrorCode.INVALID_ARGUMENT, () -> write(target(2, 1), new byte[0]));
    }

    @Test
    void shouldRefuseTokensThatDoNotFit() {
        LocatedBlock block = written(1, bytes(10));
        LocatedBlock wrongMode = new LocatedBlock(
                block.block(), 0, STORE, block.key(), datanodes, target(1, 1).token());
        byte[] forged = block.token().clone();
        forged[5] ^= 1;

        assertFails(ErrorCode.PERMISSION_DENIED, () -> read(wrongMode, 0, 1));
        assertFails(
                ErrorCode.UNAUTHENTICATED,
                () -> read(new LocatedBlock(block.block(), 0, STORE, block.key(), datanodes, forged), 0, 1));
        assertFails(ErrorCode.ALREADY_EXISTS, () -> write(target(1, 1), bytes(10)));
    }

    @Test
    void shouldAskAnotherDatanodeWhereOneIsLost() {
        serve(ServerLimits.DEFAULT);
        serve(ServerLimits.DEFAULT);
        byte[] content = bytes(3_000_000);
        servers.getFirst().close();

        LocatedBlock block = written(1, content);
        try (BlockReader reader = transfer.read(block)) {
            done(reader.read(0, 1_000));
            servers.stream().skip(1).findFirst().orElseThrow().close();

            assertThat(done(reader.read(0, content.length))).isEqualTo(ByteBuffer.wrap(content));
        }
    }

    @Test
    void shouldSayThatNoDatanodeLives() {
        LocatedBlock block = written(1, bytes(10));
        datanodes.clear();
        LocatedBlock nowhere = located(BlockToken.Mode.READ, block.block(), block.key());
        datanodes.add(new DatanodeAddress("dn-9", "127.0.0.1", 1));
        LocatedBlock dead = located(BlockToken.Mode.READ, block.block(), block.key());

        assertFails(ErrorCode.UNAVAILABLE, () -> read(nowhere, 0, 1));
        assertFails(ErrorCode.UNAVAILABLE, () -> read(dead, 0, 1));
        assertFails(ErrorCode.UNAVAILABLE, () -> write(target(3, 1), bytes(10)));
    }

    @Test
    void shouldNeverGiveBytesThatWereNotWritten() throws IOException {
        byte[] content = bytes(1_000_000);
        LocatedBlock block = written(1, content);
        long size = Files.size(file(block));
        Random random = new Random(7);
        int noticed = 0;
        for (int i = 0; i < 40; i++) {
            long at = random.nextLong(size);
            flip(file(block), at);
            DatanodeServer fresh = serve(ServerLimits.DEFAULT);
            LocatedBlock source =
                    new LocatedBlock(block.block(), 0, STORE, block.key(), List.of(datanodes.remove(1)), block.token());
            try {
                assertThat(read(source, 0, content.length)).as("flip at %d", at).isEqualTo(content);
            } catch (RuntimeException e) {
                noticed++;
                assertThat(FsException.of(e).code()).isEqualTo(ErrorCode.BLOCK_CORRUPT);
                assertThat(e).hasMessageContaining(block.key());
            }
            flip(file(block), at);
            servers.remove(fresh);
            fresh.close();
        }
        assertThat(noticed).isEqualTo(40);
        assertThat(read(block, 0, content.length)).isEqualTo(content);
    }

    private static void flip(Path file, long at) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, at);
            one.put(0, (byte) (one.get(0) ^ 0x10)).rewind();
            channel.write(one, at);
        }
    }

    @Test
    void shouldNoticeAnObjectThatWasCutOrExchangedOrIsGone() throws IOException {
        LocatedBlock block = written(1, bytes(200_000));
        LocatedBlock other = written(2, bytes(200_000));
        byte[] whole = Files.readAllBytes(file(block));
        for (int length : new int[] {0, 100_000, 200_000, whole.length - 1}) {
            Files.write(file(block), Arrays.copyOf(whole, length));
            assertFails(ErrorCode.BLOCK_CORRUPT, () -> read(block, 0, 200_000));
        }
        Files.write(file(block), Files.readAllBytes(file(other)));
        assertFails(ErrorCode.BLOCK_CORRUPT, () -> read(block, 0, 1));
        Files.delete(file(block));
        assertFails(ErrorCode.BLOCK_MISSING, () -> read(block, 0, 1));
    }

    private LocatedBlock through(FaultyProxy proxy, LocatedBlock block) {
        DatanodeAddress behind = new DatanodeAddress("proxy", "127.0.0.1", proxy.port());
        return new LocatedBlock(block.block(), 0, STORE, block.key(), List.of(behind), block.token());
    }

    @Test
    void shouldKeepNothingThatWasChangedOnItsWayToTheDatanode() throws IOException {
        Random random = new Random(11);
        byte[] content = bytes(600_000);
        for (int i = 0; i < 20; i++) {
            try (FaultyProxy proxy = FaultyProxy.to(servers.getFirst().address().getPort())) {
                // Behind the frame with the token, within the bytes of the first chunk.
                proxy.flipRequest(random.nextInt(1_000, 200_000), false);
                LocatedBlock target = target(100 + i, 1);

                assertThatThrownBy(() -> write(through(proxy, target), content))
                        .satisfies(thrown ->
                                assertThat(FsException.of(thrown).code()).isEqualTo(ErrorCode.BLOCK_CORRUPT))
                        .hasMessageContaining("the chunk at 0");

                assertThat(proxy.faults()).isEqualTo(1);
                assertThat(file(target)).doesNotExist();
            }
        }
    }

    @Test
    void shouldReadAgainWhatWasChangedOnItsWayFromTheDatanode() throws IOException {
        Random random = new Random(12);
        byte[] content = bytes(600_000);
        LocatedBlock block = written(1, content);
        for (int i = 0; i < 20; i++) {
            try (FaultyProxy proxy = FaultyProxy.to(servers.getFirst().address().getPort())) {
                proxy.flipAnswer(random.nextInt(100, 200_000), false);

                assertThat(read(through(proxy, block), 0, content.length)).isEqualTo(content);

                assertThat(proxy.faults()).isEqualTo(1);
            }
            try (FaultyProxy proxy = FaultyProxy.to(servers.getFirst().address().getPort())) {
                proxy.flipAnswer(random.nextInt(100, 200_000), true);

                assertFails(ErrorCode.BLOCK_CORRUPT, () -> read(through(proxy, block), 0, 250_000));
            }
        }
    }

    /** Counts who reads what through this process's memory, and what is sent from files. */
    private static final class Counting extends ForwardingBlockStore {
        private final BlockStore behind;
        final AtomicLong bytesRead = new AtomicLong();
        final AtomicLong bytesSent = new AtomicLong();
        final AtomicInteger dropped = new AtomicInteger();

        Counting(BlockStore behind) {
            super(behind);
            this.behind = behind;
        }

        @Override
        public int read(String key, long offset, byte[] into, int at, int length) {
            bytesRead.addAndGet(length);
            return super.read(key, offset, into, at, length);
        }

        @Override
        public @Nullable FileSlice slice(String key, long offset, int length) {
            FileSlice slice = behind.slice(key, offset, length);
            bytesSent.addAndGet(slice == null ? 0 : length);
            return slice;
        }

        @Override
        public boolean dropCopy(String key) {
            boolean was = behind.dropCopy(key);
            dropped.addAndGet(was ? 1 : 0);
            return was;
        }
    }

    private Counting serveCached() {
        servers.pop().close();
        datanodes.clear();
        Counting store = new Counting(
                CachedBlockStore.of(LocalBlockStore.open(folder, "remote"), folder.resolve("copies"), 64 << 20));
        serve(store, ServerLimits.DEFAULT);
        return store;
    }

    @Test
    void shouldSendWholeGranulesFromTheFile() {
        Counting store = serveCached();
        byte[] content = bytes(3_000_000);
        LocatedBlock block = written(1, content);

        assertThat(read(block, 0, content.length)).isEqualTo(content);

        assertThat(store.bytesSent).hasValue(content.length);
        assertThat(store.bytesRead).hasValue(Seal.size(content.length));
    }

    @Test
    void shouldDropACopyThatTheReaderFoundDamagedAndReadTheObject() throws IOException {
        Counting store = serveCached();
        byte[] content = bytes(1_000_000);
        LocatedBlock block = written(1, content);
        Path copy = folder.resolve("copies").resolve(block.key().replace('/', '+'));
        assertThat(read(block, 0, content.length)).isEqualTo(content);
        for (long at : new long[] {0, 65_535, 65_536, 999_999}) {
            int before = store.dropped.get();
            flip(copy, at);

            assertThat(read(block, 0, content.length)).isEqualTo(content);

            assertThat(store.dropped).hasValue(before + 1);
            await().until(() -> Arrays.equals(read(block, 0, content.length), content) && Files.exists(copy));
        }
    }

    @Test
    void shouldNoticeACopyThatWasCutAndReadTheObject() throws IOException {
        Counting store = serveCached();
        byte[] content = bytes(1_000_000);
        LocatedBlock block = written(1, content);
        Path copy = folder.resolve("copies").resolve(block.key().replace('/', '+'));
        assertThat(read(block, 0, content.length)).isEqualTo(content);
        try (FileChannel cut = FileChannel.open(copy, StandardOpenOption.WRITE)) {
            cut.truncate(300_000);
        }

        assertThat(read(block, 0, content.length)).isEqualTo(content);

        assertThat(store.dropped).hasValue(1);
    }

    @Test
    void shouldReadFromAnotherDatanodeWhereOneDiesInTheMiddleOfARead() throws IOException {
        byte[] content = bytes(8 << 20);
        LocatedBlock block = written(1, content);
        serve(ServerLimits.DEFAULT);
        try (FaultyProxy proxy = FaultyProxy.to(servers.getFirst().address().getPort())) {
            proxy.cut(1);
            List<DatanodeAddress> both =
                    List.of(new DatanodeAddress("proxy", "127.0.0.1", proxy.port()), datanodes.get(1));
            LocatedBlock source = new LocatedBlock(block.block(), 0, STORE, block.key(), both, block.token());

            assertThat(read(source, 0, content.length)).isEqualTo(content);

            assertThat(proxy.faults()).isEqualTo(1);
        }
    }
}
