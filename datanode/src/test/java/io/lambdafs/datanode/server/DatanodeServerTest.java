package io.lambdafs.datanode.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lambdafs.datanode.memory.MemoryBlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.model.testkit.Waits;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.block.BlockMessages;
import io.lambdafs.rpc.block.BlockToken;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.rpc.block.FinishWrite;
import io.lambdafs.rpc.block.OpenWrite;
import io.lambdafs.rpc.block.Seal;
import io.lambdafs.rpc.block.WriteChunk;
import io.lambdafs.rpc.block.WriteFinished;
import io.lambdafs.rpc.block.WriteOpened;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.netty.NettyTransport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The end of a datanode while blocks are being written. */
class DatanodeServerTest {
    private static final String STORE = "blocks";
    private static final byte[] CONTENT = {1, 2, 3};
    private static final int CRC = Seal.crc(CONTENT, 0, CONTENT.length);

    private final BlockTokens tokens = BlockTokens.of(Secret.of("a cluster"), InstantSource.system());
    private final SystemScheduler scheduler = new SystemScheduler("datanode", 2, 100);
    private final NettyTransport serving =
            new NettyTransport(BlockMessages.codec(), 1, "datanode-io", ServerLimits.transport());
    private final NettyTransport calling =
            new NettyTransport(BlockMessages.codec(), 1, "client-io", TransportLimits.DEFAULT);
    private final MemoryBlockStore objects = new MemoryBlockStore();
    private DatanodeServer server;

    @BeforeEach
    void start() {
        server = Waits.join(DatanodeServer.start(
                new DatanodeServer.Context(
                        objects, STORE, tokens, serving, scheduler, ServerLimits.DEFAULT, TransferObserver.NONE),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    }

    @AfterEach
    void stop() {
        calling.close();
        server.close();
        serving.close();
        scheduler.close();
    }

    private Connection connect() {
        Connection connection = Waits.join(calling.connect(server.address(), new ConnectionHandler() {
            @Override
            public void request(Connection from, Message message, Consumer<Message> reply) {
                throw new IllegalStateException("a datanode asks nothing");
            }
        }));
        connection.markAuthenticated();
        return connection;
    }

    private static Message ask(Connection on, Message message) {
        return Waits.join(on.request(message, TimeUnit.DAYS.toNanos(1)));
    }

    private OpenWrite opening(long id) {
        long expiry = System.currentTimeMillis() + TimeUnit.DAYS.toMillis(1);
        Block block = new Block(id, 1, 1_000, 0);
        return new OpenWrite(tokens.mint(BlockToken.toWrite(block, "user", STORE, ObjectKey.of(id, 1, id), expiry)));
    }

    private long begin(Connection writer) {
        long stream = ((WriteOpened) ask(writer, opening(1))).stream();
        assertThat(ask(writer, new WriteChunk(stream, 0, CONTENT, CRC))).isEqualTo(Done.DONE);
        return stream;
    }

    @Test
    void shouldWaitForTheWritesThatAreOpenAndTakeNoMore() throws InterruptedException {
        Connection writer = connect();
        long stream = begin(writer);
        assertThat(server.openStreams()).isEqualTo(1);
        assertThat(server.drain(0)).isFalse();
        CompletableFuture<Boolean> drained = new CompletableFuture<>();
        Thread ending = new Thread(() -> {
            try {
                drained.complete(server.drain(Duration.ofDays(1).toMillis()));
            } catch (InterruptedException e) {
                drained.completeExceptionally(e);
            }
        });
        ending.start();
        await().until(() -> drained.isDone() || ending.getState() == Thread.State.TIMED_WAITING);

        assertThat(drained).isNotDone();
        assertThat(ask(connect(), opening(2)))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.NOT_READY));
        assertThat(ask(writer, new FinishWrite(stream, CONTENT.length, CRC))).isInstanceOf(WriteFinished.class);

        assertThat(Waits.join(drained)).isTrue();
        assertThat(server.drain(0)).isTrue();
    }

    @Test
    void shouldDropOpenWritesAndTakeNobodyOnceItIsClosed() {
        begin(connect());

        server.close();

        await().until(() -> server.openStreams() == 0);
        assertThat(server.freeBufferBytes()).isEqualTo(ServerLimits.DEFAULT.bufferBytes());
        assertThat(objects.unfinished("", "", 10)).isEmpty();
        assertThatThrownBy(this::connect)
                .satisfies(thrown -> assertThat(FsException.of(thrown).code()).isEqualTo(ErrorCode.UNAVAILABLE));
    }
}
