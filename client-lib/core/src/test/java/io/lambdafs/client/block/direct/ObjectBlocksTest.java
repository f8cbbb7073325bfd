package io.lambdafs.client.block.direct;

import static io.lambdafs.client.block.MemoryDatanodes.bytes;
import static io.lambdafs.client.block.MemoryDatanodes.located;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.client.ClientFixture;
import io.lambdafs.client.block.BlockCopy;
import io.lambdafs.client.block.BlockReader;
import io.lambdafs.client.block.BlockWriter;
import io.lambdafs.client.block.DatanodeTransfer;
import io.lambdafs.client.block.MemoryDatanodes;
import io.lambdafs.client.block.WrittenBlock;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.DirectAccess;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.block.Seal;
import io.lambdafs.rpc.block.SealBuilder;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpReply;
import io.lambdafs.rpc.http.HttpServer;
import io.lambdafs.rpc.objects.ObjectClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks that a client writes and reads as objects of a store that has one place for an object, and answers as the test says. */
@Tag("once")
class ObjectBlocksTest {
    private static final String STORE = "s3://bucket/";
    private static final String KEY = "1/5-3";

    private final byte[] content = bytes(200_001);
    private final Block block = new Block(5, 3, content.length, Seal.crc(content, 0, content.length));
    private final SystemScheduler scheduler = new SystemScheduler("object-blocks", 1, 100);
    private final MemoryDatanodes datanodes = new MemoryDatanodes();
    private final DirectTransfer transfer = new DirectTransfer(
            new ObjectClient(scheduler, ObjectClient.SILENCE), new DatanodeTransfer(datanodes, scheduler));

    private final List<HttpCall> calls = new CopyOnWriteArrayList<>();
    private final Queue<CompletionStage<HttpReply>> instead = new ConcurrentLinkedQueue<>();
    /** How many reads of the block's beginning get a wrong byte. */
    private final AtomicInteger damaged = new AtomicInteger();

    private volatile byte[] object;
    private HttpServer store;

    @BeforeEach
    void start() throws IOException {
        store = HttpServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                this::answer,
                HttpLimits.defaults().withMaxBodyBytes(1 << 20));
    }

    @AfterEach
    void close() {
        transfer.close();
        store.close();
        scheduler.close();
    }

    private CompletionStage<HttpReply> answer(HttpCall call) {
        calls.add(call);
        CompletionStage<HttpReply> other = instead.poll();
        return other != null
                ? other
                : CompletableFuture.completedFuture(call.method().equals("PUT") ? put(call) : get(call));
    }

    private HttpReply put(HttpCall call) {
        if (!call.header("content-md5").orElseThrow().equals(md5(call.body()))) {
            return HttpReply.text(400, "<Code>BadDigest</Code>");
        }
        if (object != null) {
            return HttpReply.empty(412);
        }
        object = call.body();
        return HttpReply.empty(200);
    }

    private static String md5(byte[] bytes) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("MD5").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private HttpReply get(HttpCall call) {
        String[] range =
                call.header("range").orElseThrow().replace("bytes=", "").split("-", 2);
        int from = Integer.parseInt(range[0]);
        if (from >= object.length) {
            return HttpReply.empty(416);
        }
        byte[] part = Arrays.copyOfRange(object, from, Math.min(Integer.parseInt(range[1]) + 1, object.length));
        if (from == 0 && damaged.getAndDecrement() > 0) {
            part[0]++;
        }
        return new HttpReply(206, "", part, Map.of());
    }

    private LocatedBlock at(Block shown) {
        DirectAccess access = new DirectAccess(
                "http://127.0.0.1:" + store.port() + "/object?sig=1", Map.of("x-signed", "yes"), block);
        return new LocatedBlock(shown, 0, STORE, KEY, access);
    }

    private LocatedBlock target() {
        return at(new Block(5, 3, 1 << 20, 0));
    }

    private BlockCopy copy(boolean isWhole) {
        return new BlockCopy() {
            @Override
            public boolean isWhole() {
                return isWhole;
            }

            @Override
            public void read(long from, ByteBuffer into) {
                into.put(content, (int) from, into.remaining());
            }
        };
    }

    /** A writer that has been given the whole content. */
    private BlockWriter written() {
        BlockWriter writer = transfer.write(target(), copy(true));
        for (int at = 0; at < content.length; at += 70_000) {
            ClientFixture.get(writer.write(ByteBuffer.wrap(content, at, Math.min(70_000, content.length - at))));
        }
        return writer;
    }

    private static byte[] sealed(byte[] bytes, Block as) {
        SealBuilder seal = new SealBuilder();
        seal.add(bytes, 0, bytes.length);
        byte[] end = seal.seal(as);
        byte[] all = Arrays.copyOf(bytes, bytes.length + end.length);
        System.arraycopy(end, 0, all, bytes.length, end.length);
        return all;
    }

    private void assertReads(BlockReader reader, int offset, int length) {
        assertThat(ClientFixture.get(reader.read(offset, length)))
                .isEqualTo(ByteBuffer.wrap(content, offset, length).slice());
    }

    private static void assertFails(CompletionStage<?> stage, ErrorCode code, String message) {
        FsException why = ClientFixture.failure(stage);
        assertThat(why.code()).isEqualTo(code);
        assertThat(why).hasMessageContaining(message);
    }

    @Test
    void shouldWriteABlockAndItsSealByOneRequest() {
        assertThat(ClientFixture.get(written().finish())).isEqualTo(new WrittenBlock(block, BlockOperation.NO_RECEIPT));

        assertThat(object).isEqualTo(sealed(content, block));
        assertThat(calls)
                .singleElement()
                .satisfies(call -> assertThat(call.header("x-signed")).contains("yes"));
        assertThat(datanodes.lines).isEmpty();
    }

    @Test
    void shouldReadAnyRangeAndTheSealOnce() {
        object = sealed(content, block);
        BlockReader reader = transfer.read(at(block));

        assertReads(reader, 0, content.length);
        assertReads(reader, Seal.GRANULE - 3, 10);
        assertReads(reader, Seal.GRANULE, Seal.GRANULE);
        assertReads(reader, content.length - 1, 1);

        assertThat(calls).hasSize(5);
        assertThat(datanodes.lines).isEmpty();
    }

    @Test
    void shouldReadWhatAFileShowsOfABlock() {
        object = sealed(content, block);
        BlockReader reader = transfer.read(at(new Block(5, 3, 100_000, 0)));

        assertReads(reader, 0, 100_000);
        assertFails(reader.read(99_999, 2), ErrorCode.INVALID_ARGUMENT, "block 5");
        assertFails(reader.read(-1, 1), ErrorCode.INVALID_ARGUMENT, "block 5");
    }

    @Test
    void shouldReadASecondTimeWhatWasChangedOnItsWay() {
        object = sealed(content, block);
        BlockReader reader = transfer.read(at(block));

        damaged.set(1);
        assertReads(reader, 0, 100);
        damaged.set(2);
        assertFails(reader.read(0, 100), ErrorCode.BLOCK_CORRUPT, "not those that were written");
    }

    @Test
    void shouldNotTakeTheSealOfAnotherBlock() {
        object = sealed(content, new Block(5, 4, content.length, block.crc32c()));

        assertFails(transfer.read(at(block)).read(0, 1), ErrorCode.BLOCK_CORRUPT, "seal");
    }

    @Test
    void shouldNotTakeAnObjectThatIsCut() {
        byte[] whole = sealed(content, block);
        object = Arrays.copyOf(whole, whole.length - 1);
        assertFails(
                transfer.read(at(block)).read(0, 1),
                ErrorCode.BLOCK_CORRUPT,
                "it ends after " + object.length + " bytes");

        object = Arrays.copyOf(whole, 1_000);
        assertFails(transfer.read(at(block)).read(0, 1), ErrorCode.BLOCK_CORRUPT, KEY);
    }

    @Test
    void shouldAskForTheSealAgainAfterAFailure() {
        object = sealed(content, block);
        BlockReader reader = transfer.read(at(block));
        instead.add(CompletableFuture.completedFuture(HttpReply.empty(500)));
        instead.add(CompletableFuture.completedFuture(HttpReply.empty(500)));

        assertFails(reader.read(0, 1), ErrorCode.UNAVAILABLE, KEY);
        assertReads(reader, 0, 1);
    }

    @Test
    void shouldReadNothingOnceClosed() {
        object = sealed(content, block);
        BlockReader reader = transfer.read(at(block));
        reader.close();

        assertFails(reader.read(0, 1), ErrorCode.INTERRUPTED, "block 5");
        assertThat(calls).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "412, ALREADY_EXISTS, already",
        "409, STORE_CONFLICT, try again",
        "507, STORE_FULL, full",
        "500, UNAVAILABLE, 500"
    })
    void shouldTellWhyTheStoreTookNothing(int status, ErrorCode code, String message) {
        instead.add(CompletableFuture.completedFuture(HttpReply.empty(status)));

        FsException why = ClientFixture.failure(written().finish());

        assertThat(why.code()).isEqualTo(code);
        assertThat(why).hasMessageContaining(STORE).hasMessageContaining(KEY).hasMessageContaining(message);
    }

    @Test
    void shouldRefuseMoreBytesThanTheBlockMayHave() {
        BlockWriter writer = transfer.write(at(new Block(5, 3, 10, 0)), copy(true));

        ClientFixture.get(writer.write(ByteBuffer.allocate(10)));
        assertFails(writer.write(ByteBuffer.allocate(1)), ErrorCode.INVALID_ARGUMENT, "10 bytes");
        assertFails(writer.finish(), ErrorCode.INTERRUPTED, "block 5");
        assertThat(calls).isEmpty();
    }

    @Test
    void shouldRefuseABlockWithoutBytesAndWhatIsNotKeptOnDisk() {
        assertFails(transfer.write(target(), copy(true)).finish(), ErrorCode.INVALID_ARGUMENT, "no bytes");
        BlockWriter writer = transfer.write(target(), copy(false));
        assertFails(writer.write(ByteBuffer.allocate(1)), ErrorCode.STORE_FULL, "java.io.tmpdir");
        assertThat(calls).isEmpty();
    }

    @Test
    void shouldTakeNothingMoreAtItsEnd() {
        BlockWriter writer = written();
        ClientFixture.get(writer.finish());

        assertFails(writer.write(ByteBuffer.allocate(1)), ErrorCode.INTERRUPTED, "block 5");
        assertFails(writer.finish(), ErrorCode.INTERRUPTED, "block 5");
        assertThat(calls).hasSize(1);
    }

    @Test
    void shouldEndTheRequestOfAWriterThatIsGivenUp() {
        instead.add(new CompletableFuture<>());
        BlockWriter writer = written();
        CompletableFuture<WrittenBlock> finished = writer.finish().toCompletableFuture();

        writer.abort();

        assertThatThrownBy(finished::join).isInstanceOf(RuntimeException.class);
        assertFails(writer.finish(), ErrorCode.INTERRUPTED, "block 5");
    }

    @Test
    void shouldLeaveOtherBlocksToDatanodesUntilItIsClosed() {
        LocatedBlock elsewhere = located(block, 0, 1);
        datanodes.blocks.put(block.label(), content);
        BlockWriter writer = transfer.write(elsewhere, copy(true));
        ClientFixture.get(writer.write(ByteBuffer.wrap(content)));
        assertThat(ClientFixture.get(writer.finish()).block()).isEqualTo(block);
        assertReads(transfer.read(elsewhere), 5, 10);
        assertThat(calls).isEmpty();

        transfer.close();

        assertThat(datanodes.lines).isNotEmpty().noneMatch(MemoryDatanodes.Line::isOpen);
        assertFails(transfer.read(elsewhere).read(0, 1), ErrorCode.UNAVAILABLE, "");
    }
}
