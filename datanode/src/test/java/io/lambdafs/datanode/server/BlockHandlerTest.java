package io.lambdafs.datanode.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.ForwardingBlockStore;
import io.lambdafs.datanode.memory.MemoryBlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.block.AbortWrite;
import io.lambdafs.rpc.block.BlockBytes;
import io.lambdafs.rpc.block.BlockToken;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.rpc.block.FinishForReceipt;
import io.lambdafs.rpc.block.FinishWrite;
import io.lambdafs.rpc.block.OpenWrite;
import io.lambdafs.rpc.block.ReadBlock;
import io.lambdafs.rpc.block.ReadPieces;
import io.lambdafs.rpc.block.Seal;
import io.lambdafs.rpc.block.WriteChunk;
import io.lambdafs.rpc.block.WriteFinished;
import io.lambdafs.rpc.block.WriteOpened;
import io.lambdafs.rpc.block.WriteReceipt;
import io.lambdafs.rpc.message.Charged;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A datanode's answers one after the other, on a pool that a test runs, fills and lets stand. */
class BlockHandlerTest {
    private static final String STORE = "blocks";
    private static final int WINDOW = WriteChunk.MAX_BYTES;
    private static final ServerLimits LIMITS = new ServerLimits(WINDOW, 4L * WINDOW, Duration.ofMinutes(1));
    private static final byte[] CONTENT = {1, 2, 3};

    private final Pool pool = new Pool();
    private final MemoryBlockStore objects = new MemoryBlockStore();
    private final BlockTokens tokens =
            BlockTokens.of(Secret.of("a cluster"), () -> Instant.ofEpochMilli(pool.currentTimeMillis()));
    private final List<String> told = new ArrayList<>();
    private final Wire wire = new Wire();
    private boolean isRefusing;
    private BlockHandler handler;

    /** A pool that may be full, or behind its time. */
    private static final class Pool extends ManualScheduler {
        private boolean isFull;
        private long behindNanos;

        Pool() {
            super(1);
        }

        @Override
        public void execute(Runnable command) {
            if (isFull) {
                throw new FsException(ErrorCode.OVERLOADED, "the pool is full");
            }
            super.execute(command);
        }

        @Override
        public long nanoTime() {
            return super.nanoTime() + behindNanos;
        }
    }

    private final class Ledger implements TransferObserver {
        @Override
        public void wrote(int bytes) {
            told.add("wrote " + bytes);
        }

        @Override
        public void finished(long nanos) {
            told.add("finished in " + nanos / 1_000_000);
        }

        @Override
        public void read(int bytes, long nanos) {
            told.add("read " + bytes + " in " + nanos / 1_000_000);
        }

        @Override
        public void failed(ErrorCode code) {
            told.add("failed " + code);
        }
    }

    @BeforeEach
    void open() {
        BlockStore store = new ForwardingBlockStore(objects) {
            @Override
            public Upload upload(String key) {
                if (isRefusing) {
                    throw new FsException(ErrorCode.STORE_FULL, "no room");
                }
                return super.upload(key);
            }
        };
        handler = new BlockHandler(new BlockHandler.Context(store, STORE, tokens, pool, LIMITS, new Ledger()));
        handler.opened(wire);
    }

    private static String key(long id) {
        return ObjectKey.of(id, 1, id);
    }

    private OpenWrite opening(long id) {
        return new OpenWrite(tokens.mint(BlockToken.toWrite(
                new Block(id, 1, 8L * WINDOW, 0), "user", STORE, key(id), pool.currentTimeMillis() + 600_000)));
    }

    private byte[] readToken(Block block) {
        return tokens.mint(new BlockToken(
                BlockToken.Mode.READ, block, STORE, key(block.id()), pool.currentTimeMillis() + 600_000));
    }

    /** Its answer is the first one, once there is one. */
    private List<Message> send(Message message) {
        List<Message> answers = new ArrayList<>();
        handler.request(wire, message, answers::add);
        return answers;
    }

    private Message ask(Message message) {
        List<Message> answers = send(message);
        pool.run();
        assertThat(answers).hasSize(1);
        return answers.get(0);
    }

    private long stream(long id) {
        return ((WriteOpened) ask(opening(id))).stream();
    }

    private static WriteChunk chunk(long stream, long offset, byte[] bytes) {
        return new WriteChunk(stream, offset, bytes, Seal.crc(bytes, 0, bytes.length));
    }

    private static FinishWrite finish(long stream, byte[] bytes) {
        return new FinishWrite(stream, bytes.length, Seal.crc(bytes, 0, bytes.length));
    }

    private Block write(long id, byte[] content) {
        long stream = stream(id);
        assertThat(ask(chunk(stream, 0, content))).isEqualTo(Done.DONE);
        return ((WriteFinished) ask(finish(stream, content))).block();
    }

    private static void assertFailed(ErrorCode code, Message answer) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.code()).isEqualTo(code));
    }

    private void assertNothingIsOpen() {
        assertThat(handler.openStreams()).isZero();
        assertThat(handler.freeBufferBytes()).isEqualTo(LIMITS.bufferBytes());
        assertThat(objects.unfinished("", "", 10)).isEmpty();
    }

    private byte[] bytes(Message answer) {
        Charged charged = (Charged) answer;
        charged.taken().run();
        BlockBytes read = (BlockBytes) charged.message();
        assertThat(read.crc32c()).isEqualTo(Seal.crc(read.bytes(), 0, read.bytes().length));
        return read.bytes();
    }

    @Test
    void shouldTellOfWhatItWritesAndReadsAndHowLongItTook() {
        long stream = stream(1);
        ask(chunk(stream, 0, CONTENT));
        List<Message> answers = send(finish(stream, CONTENT));
        pool.stall(Duration.ofMillis(5));
        Block block = ((WriteFinished) answers.get(0)).block();
        answers = send(new ReadBlock(readToken(block), 1, 2));
        pool.stall(Duration.ofMillis(7));

        assertThat(bytes(answers.get(0))).isEqualTo(new byte[] {2, 3});
        assertThat(told).containsExactly("wrote 3", "finished in 5", "read 2 in 7");
        assertNothingIsOpen();
    }

    @Test
    void shouldGiveAReceiptToWhoAsksForOne() {
        long stream = stream(1);
        ask(chunk(stream, 0, CONTENT));

        WriteReceipt receipt = (WriteReceipt) ask(new FinishForReceipt(stream, 3, Seal.crc(CONTENT, 0, 3)));

        assertThat(tokens.isReceipt(receipt.receipt(), receipt.block(), STORE, key(1)))
                .isTrue();
        assertFailed(ErrorCode.NOT_FOUND, ask(chunk(stream, 3, CONTENT)));
    }

    @Test
    void shouldTellOfAStepThatFailsAndFailThoseAfterItInTheSameWay() {
        for (WriteChunk wrong : List.of(new WriteChunk(0, 0, CONTENT, 1), chunk(0, 1, CONTENT))) {
            told.clear();
            long stream = stream(1);
            ErrorCode code = wrong.offset() == 0 ? ErrorCode.BLOCK_CORRUPT : ErrorCode.INVALID_ARGUMENT;
            List<Message> first = send(new WriteChunk(stream, wrong.offset(), CONTENT, wrong.crc32c()));
            List<Message> behind = send(finish(stream, CONTENT));
            pool.run();

            assertFailed(code, first.get(0));
            assertThat(behind).isEqualTo(first);
            assertThat(told).containsExactly("failed " + code);
            assertThat(ask(chunk(stream, 0, CONTENT))).isEqualTo(first.get(0));
            assertNothingIsOpen();
        }
        assertThat(objects.list("", "", 10)).isEmpty();
    }

    @Test
    void shouldTakeNoMoreAtOnceThanTheWindow() {
        long stream = stream(1);
        byte[] half = new byte[WINDOW / 2];
        List<Message> first = send(chunk(stream, 0, half));
        List<Message> second = send(chunk(stream, half.length, half));
        assertThat(handler.freeBufferBytes()).isEqualTo(LIMITS.bufferBytes() - WINDOW);

        assertFailed(ErrorCode.OVERLOADED, send(chunk(stream, WINDOW, CONTENT)).get(0));
        pool.run();

        assertThat(first).isEqualTo(second).containsExactly(Done.DONE);
        assertThat(handler.freeBufferBytes()).isEqualTo(LIMITS.bufferBytes());
        assertThat(ask(chunk(stream, WINDOW, half))).isEqualTo(Done.DONE);
    }

    @Test
    void shouldGrantSmallerWindowsOnceHalfOfTheBufferIsGranted() {
        List<Integer> windows = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            windows.add(((WriteOpened) ask(opening(i))).windowBytes());
        }
        assertThat(windows).containsExactly(WINDOW, WINDOW, WINDOW / 4, WINDOW / 4);
    }

    @Test
    void shouldDropAWriteOnceItWasIdleForTooLong() {
        long stream = stream(1);
        pool.advance(Duration.ofSeconds(30));
        ask(chunk(stream, 0, CONTENT));
        pool.advance(LIMITS.idle());
        handler.dropIdle();
        assertThat(handler.openStreams()).isEqualTo(1);

        pool.advance(1);
        handler.dropIdle();
        assertNothingIsOpen();
        assertFailed(ErrorCode.NOT_FOUND, ask(chunk(stream, 3, CONTENT)));
    }

    @Test
    void shouldNotTakeAWriteForIdleThatWaitsForItsTurn() {
        long stream = stream(1);
        List<Message> answers = send(chunk(stream, 0, CONTENT));
        pool.behindNanos = LIMITS.idle().toNanos() + 1;

        handler.dropIdle();
        pool.run();

        assertThat(answers).containsExactly(Done.DONE);
    }

    @Test
    void shouldDropWhatItsWriterGivesUp() {
        long stream = stream(1);
        ask(chunk(stream, 0, CONTENT));

        assertThat(ask(new AbortWrite(stream))).isEqualTo(Done.DONE);

        assertNothingIsOpen();
        assertThat(ask(new AbortWrite(stream))).isEqualTo(Done.DONE);
        assertFailed(ErrorCode.NOT_FOUND, ask(finish(stream, CONTENT)));
        assertThat(write(1, CONTENT).length()).isEqualTo(3);
    }

    @Test
    void shouldDropTheWritesOfAConnectionThatEnds() {
        stream(1);
        ask(chunk(stream(2), 0, CONTENT));
        send(opening(3));

        handler.closed(wire);
        pool.run();

        assertNothingIsOpen();
    }

    @Test
    void shouldFreeEverythingOfWhatAFullPoolRefuses() {
        long stream = stream(1);
        pool.isFull = true;
        assertFailed(ErrorCode.OVERLOADED, ask(opening(2)));
        assertFailed(ErrorCode.OVERLOADED, ask(chunk(stream, 0, CONTENT)));
        Block block = new Block(9, 1, WINDOW, 0);
        for (int i = 0; i < 20; i++) {
            assertThat(((Failed) ask(new ReadBlock(readToken(block), 0, WINDOW))).message())
                    .contains("pool is full");
        }
        pool.isFull = false;

        assertNothingIsOpen();
        assertThat(write(1, CONTENT).length()).isEqualTo(3);
        assertThat(write(2, CONTENT).length()).isEqualTo(3);
    }

    @Test
    void shouldFreeEverythingOfAWriteThatItsStoreRefuses() {
        isRefusing = true;
        assertFailed(ErrorCode.STORE_FULL, ask(opening(1)));
        assertThat(told).containsExactly("failed STORE_FULL");
        assertNothingIsOpen();

        isRefusing = false;
        assertThat(write(1, CONTENT).length()).isEqualTo(3);
    }

    @Test
    void shouldLetOpenWritesEndAndBeginNoneOnceItStops() {
        Block block = write(1, CONTENT);
        long stream = stream(2);
        long left = stream(3);
        handler.stop();

        assertFailed(ErrorCode.NOT_READY, ask(opening(4)));
        assertFailed(ErrorCode.NOT_READY, ask(new ReadBlock(readToken(block), 0, 1)));
        assertThat(ask(chunk(stream, 0, CONTENT))).isEqualTo(Done.DONE);
        assertThat(ask(finish(stream, CONTENT))).isInstanceOf(WriteFinished.class);
        handler.abortAll();
        assertFailed(ErrorCode.NOT_READY, ask(chunk(left, 0, CONTENT)));
        assertNothingIsOpen();
        assertThat(objects.list("", "", 10)).hasSize(2);
    }

    @Test
    void shouldCloseAConnectionThatShowsNoTokenAndKeepOneThatHas() {
        Wire stranger = new Wire();
        handler.opened(stranger);
        handler.request(
                stranger, new OpenWrite(new byte[40]), answer -> assertFailed(ErrorCode.UNAUTHENTICATED, answer));
        assertThat(stranger.isOpen()).isFalse();

        stream(1);
        assertThat(wire.isAuthenticated()).isTrue();
        assertFailed(ErrorCode.UNAUTHENTICATED, ask(new OpenWrite(new byte[40])));
        assertFailed(ErrorCode.UNSUPPORTED, ask(Done.DONE));
        assertThat(wire.isOpen()).isTrue();
        assertThat(told).containsExactly("failed UNAUTHENTICATED", "failed UNAUTHENTICATED", "failed UNSUPPORTED");
    }

    @Test
    void shouldReadSoMuchAtOnceForAConnectionAndCountASmallReadAsAGranule() {
        Block block = write(1, new byte[WINDOW / 2]);
        byte[] token = readToken(block);
        for (int length : new int[] {1, Seal.GRANULE, 2 * Seal.GRANULE}) {
            long most = ServerLimits.ASKED_PER_CONNECTION / Math.max(length, Seal.GRANULE);
            for (int round = 0; round < 2; round++) {
                List<Message> answers = new ArrayList<>();
                for (int i = 0; i < most; i++) {
                    handler.request(
                            wire,
                            new ReadBlock(token, 1, length),
                            answer -> answers.add(new BlockBytes(0, bytes(answer), 0)));
                }
                assertFailed(
                        ErrorCode.OVERLOADED, send(new ReadPieces(token, 0, 1)).get(0));
                pool.run();
                assertThat(answers).hasSize((int) most);
            }
        }
    }

    /** A read that fails gives its room back, as one that was taken. */
    @Test
    void shouldReadAgainAndAgainWhatTakesAllRoom() {
        byte[] content = new byte[WINDOW];
        Arrays.fill(content, (byte) 7);
        Block block = write(1, content);
        Block lost = new Block(2, 1, WINDOW, 0);
        for (int i = 0; i < 3; i++) {
            assertFailed(ErrorCode.BLOCK_MISSING, ask(new ReadBlock(readToken(lost), 0, WINDOW)));
            assertThat(bytes(ask(new ReadPieces(readToken(block), 0, WINDOW)))).isEqualTo(content);
        }
        assertThat(told).contains("failed BLOCK_MISSING");
    }

    /** The thread of a pool that closes. */
    @Test
    void shouldNotWaitForRoomOnAThreadThatIsToEnd() {
        Block block = write(1, CONTENT);
        Thread.currentThread().interrupt();

        Message answer = ask(new ReadBlock(readToken(block), 0, 3));

        assertThat(Thread.interrupted()).isTrue();
        assertFailed(ErrorCode.OVERLOADED, answer);
        assertThat(bytes(ask(new ReadBlock(readToken(block), 0, 3)))).isEqualTo(CONTENT);
    }
}
