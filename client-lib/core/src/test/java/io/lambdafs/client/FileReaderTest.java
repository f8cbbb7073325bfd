package io.lambdafs.client;

import static io.lambdafs.client.FileFixture.ID;
import static io.lambdafs.client.FileFixture.PATH;
import static io.lambdafs.client.FileFixture.attributes;
import static io.lambdafs.client.FileFixture.get;
import static io.lambdafs.client.block.MemoryDatanodes.bytes;
import static io.lambdafs.client.block.MemoryDatanodes.failed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.rpc.block.ReadBlock;
import io.lambdafs.rpc.message.Message;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileReaderTest {
    private static final int BLOCK = 1_000;

    private final FileFixture fixture = new FileFixture();
    private final byte[] content = bytes(6 * BLOCK + 50);

    @AfterEach
    void close() {
        fixture.close();
    }

    private FileReader open() {
        fixture.store(content, BLOCK);
        return get(fixture.fs.reader(PATH));
    }

    private FileReader openInline() {
        fixture.hook = operation -> new Reply.Opened(attributes(ID, BLOCK, INode.Content.INLINE), bytes(BLOCK));
        return get(fixture.fs.reader(PATH));
    }

    private static ErrorCode code(CompletionStage<?> stage) {
        return ClientFixture.failure(stage).code();
    }

    private void assertReads(FileReader reader, int from, int length, int got) {
        assertThat(get(reader.read(from, length)))
                .isEqualTo(ByteBuffer.wrap(content, from, got).slice());
    }

    @Test
    void shouldReadToTheEndOfABlock() {
        FileReader reader = open();
        assertThat(reader.length()).isEqualTo(content.length);
        assertThat(reader.attributes().id()).isEqualTo(ID);
        assertReads(reader, 0, BLOCK, BLOCK);
        assertReads(reader, 0, BLOCK + 1, BLOCK);
        assertReads(reader, BLOCK - 1, 10, 1);
        assertReads(reader, BLOCK, 10, 10);
        assertReads(reader, 2 * BLOCK + 7, 100, 100);
        assertReads(reader, content.length - 1, 100, 1);
        assertThat(fixture.asked).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"-1,1", "0,0", "1000,1"})
    void shouldRefuseWhatTheFileDoesNotHave(long from, int length) {
        FileReader reader = openInline();
        assertThat(code(reader.read(from, length))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }

    @Test
    void shouldReadWhatIsKeptWithTheMetadata() {
        FileReader reader = openInline();
        byte[] inline = bytes(BLOCK);
        assertThat(get(reader.read(0, 1))).isEqualTo(ByteBuffer.wrap(inline, 0, 1));
        assertThat(get(reader.read(0, 2 * BLOCK))).isEqualTo(ByteBuffer.wrap(inline));
        ByteBuffer tail = get(reader.read(900, 2 * BLOCK));
        assertThat(tail).isEqualTo(ByteBuffer.wrap(inline, 900, 100));
        assertThat(tail.position()).isZero();
        assertThat(fixture.datanodes.lines).isEmpty();
    }

    @Test
    void shouldReadWhatIsKeptWithTheMetadataOfAFileThatIsAppendedTo() {
        fixture.hook = operation -> new Reply.Opened(attributes(ID, BLOCK, INode.Content.WRITING), bytes(BLOCK));
        FileReader reader = get(fixture.fs.reader(PATH));
        assertThat(get(reader.read(0, 5))).isEqualTo(ByteBuffer.wrap(bytes(BLOCK), 0, 5));
    }

    /** Has the service say where so many blocks are, and not where the others are. */
    private void locatesAtOnce(int blocks) {
        fixture.hook = operation -> {
            Reply.Opened all = fixture.opened(((ReadOperation.Open) operation).offset());
            int known = Math.min(blocks, all.blocks().size());
            return new Reply.Opened(all.attributes(), null, all.blocks().subList(0, known));
        };
    }

    @Test
    void shouldAskWhereABlockIsThatIsNotKnownYet() {
        fixture.store(content, BLOCK);
        locatesAtOnce(1);
        FileReader reader = get(fixture.fs.reader(PATH));
        assertReads(reader, BLOCK, 5, 5);
        assertReads(reader, 3 * BLOCK + 1, 5, 5);
        assertReads(reader, 3 * BLOCK + 2, 5, 5);
        assertThat(fixture.asked(ReadOperation.Open.class))
                .extracting(ReadOperation.Open::offset)
                .containsExactly(0L, (long) BLOCK, 3L * BLOCK + 1);
    }

    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {"CONNECTION_LOST", "TIMED_OUT", "OVERLOADED", "TOKEN_EXPIRED", "UNAVAILABLE"})
    void shouldAskAgainWhereABlockIsAndReadItThere(ErrorCode code) {
        fixture.ports = 1;
        FileReader reader = open();
        int[] failures = {3};
        fixture.datanodes.hook = (line, message) -> failures[0]-- > 0 ? failed(code) : null;
        assertReads(reader, 5, 10, 10);
        assertReads(reader, BLOCK + 5, 10, 10);
        assertThat(fixture.asked(ReadOperation.Open.class).size()).isBetween(2, 4);
        assertThat(fixture.asked(ReadOperation.Open.class).get(1).offset()).isEqualTo(5);
    }

    @Test
    void shouldNameTheFileWhoseBlockCannotBeRead() {
        FileReader reader = open();
        fixture.datanodes.hook = (line, message) -> failed(ErrorCode.BLOCK_CORRUPT);
        FsException why = ClientFixture.failure(reader.read(5, 10));
        assertThat(why.code()).isEqualTo(ErrorCode.BLOCK_CORRUPT);
        assertThat(why).hasMessageContaining("\"/d/f\"");
        assertThat(fixture.asked).hasSize(1);
    }

    @Test
    void shouldTryAgainUntilItsDeadline() {
        FileReader reader = open();
        fixture.datanodes.hook = (line, message) -> failed(ErrorCode.NOT_READY);
        long begin = fixture.scheduler.nanoTime();
        assertThat(code(reader.read(5, 10))).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
        Duration deadline = ClientFixture.TIMES.deadline();
        assertThat(Duration.ofNanos(fixture.scheduler.nanoTime() - begin))
                .isBetween(deadline.minusSeconds(2), deadline);
    }

    @Test
    void shouldNotGoOnInAnotherFile() {
        FileReader reader = open();
        fixture.datanodes.hook = (line, message) -> failed(ErrorCode.TOKEN_EXPIRED);
        fixture.hook = operation -> new Reply.Opened(attributes(ID + 1, BLOCK, INode.Content.BLOCKS), null);
        FsException why = ClientFixture.failure(reader.read(5, 10));
        assertThat(why.code()).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(why).hasMessageContaining("replaced");
    }

    @Test
    void shouldSayThatTheFileWasCut() {
        FileReader reader = open();
        fixture.datanodes.hook = (line, message) -> failed(ErrorCode.TOKEN_EXPIRED);
        fixture.blocks.clear();
        FsException why = ClientFixture.failure(reader.read(5, 10));
        assertThat(why.code()).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(why).hasMessageContaining("cut to 0 bytes");
    }

    @Test
    void shouldReadMoreBlocksAtOnceThanItKeepsReadersOf() {
        int block = 3 << 20;
        byte[] large = bytes(6 * block);
        fixture.store(large, block);
        List<Runnable> answers = new ArrayList<>();
        fixture.datanodes.hook = (line, message) -> {
            CompletableFuture<Message> answer = new CompletableFuture<>();
            answers.add(() -> answer.complete(line.serve(message)));
            return answer;
        };
        FileReader reader = get(fixture.fs.reader(PATH));
        List<CompletionStage<ByteBuffer>> parts = new ArrayList<>();
        for (int at = 0; at < large.length; at += block) {
            parts.add(reader.read(at, block));
        }
        while (!answers.isEmpty()) {
            answers.remove(0).run();
        }
        for (int i = 0; i < parts.size(); i++) {
            assertThat(get(parts.get(i))).isEqualTo(ByteBuffer.wrap(large, i * block, block));
        }
        assertThat(fixture.datanodes.lines).hasSize(6);
    }

    @Test
    void shouldKeepTheReadersOfFewBlocks() {
        FileReader reader = open();
        for (int i = 0; i < 4; i++) {
            assertReads(reader, i * BLOCK, 1, 1);
        }
        assertReads(reader, 0, 1, 1);
        // The fifth takes the place, and the connection, of the one used longest ago, and so does the sixth.
        assertReads(reader, 4 * BLOCK, 1, 1);
        assertReads(reader, 5 * BLOCK, 1, 1);
        assertReads(reader, 0, 1, 1);
        assertThat(fixture.datanodes.asked)
                .extracting(each -> fixture.datanodes.lines.indexOf(each.line()))
                .containsExactly(0, 1, 2, 3, 0, 1, 2, 0);
    }

    @Test
    void shouldGiveConnectionsBackUntilTheNextRead() {
        FileReader reader = open();
        assertReads(reader, 0, 1, 1);
        reader.unbuffer();
        FileReader other = get(fixture.fs.reader(PATH));
        assertReads(other, 0, 1, 1);
        assertThat(fixture.datanodes.lines).hasSize(1);
        assertReads(reader, 0, 1, 1);
        assertThat(fixture.datanodes.lines).hasSize(2);
    }

    @Test
    void shouldReadNothingAfterItsEnd() {
        FileReader reader = open();
        assertReads(reader, 0, 1, 1);
        reader.close();
        reader.close();
        FsException why = ClientFixture.failure(reader.read(0, 1));
        assertThat(why.code()).isEqualTo(ErrorCode.INTERRUPTED);
        assertThat(fixture.datanodes.lines).hasSize(1).allMatch(line -> line.isOpen());
    }

    // Read-ahead

    private static final int SMALL = 128 << 10;

    private long askedBytes() {
        return fixture.datanodes.asked(ReadBlock.class).stream()
                .mapToLong(ReadBlock::length)
                .sum();
    }

    @Test
    void shouldReadAheadFurtherAndFurtherFromFrontToBack() throws Exception {
        byte[] large = bytes(16 << 20);
        fixture.store(large, large.length);
        ReadAhead ahead = new ReadAhead(get(fixture.fs.reader(PATH)));
        ByteBuffer all = ByteBuffer.allocate(large.length);
        Map<Integer, Long> askedAt = new LinkedHashMap<>();
        while (all.hasRemaining()) {
            int from = all.position();
            long before = askedBytes();
            ByteBuffer piece = all.duplicate().limit(Math.min(all.limit(), from + 100_000));
            int copied = ahead.read(from, piece);
            assertThat(copied).isPositive();
            assertThat(piece.position()).isEqualTo(from + copied);
            all.position(from + copied);
            if (askedBytes() > before) {
                askedAt.put(from / SMALL, askedBytes() / SMALL);
            }
        }
        assertThat(all.array()).isEqualTo(large);
        assertThat(askedAt)
                .containsExactly(
                        entry(0, 4L),
                        entry(2, 8L),
                        entry(4, 16L),
                        entry(8, 32L),
                        entry(16, 56L),
                        entry(24, 64L),
                        entry(32, 72L),
                        entry(40, 80L),
                        entry(48, 88L),
                        entry(56, 96L),
                        entry(64, 104L),
                        entry(72, 112L),
                        entry(80, 120L),
                        entry(88, 128L));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 100})
    void shouldAskForNothingTwiceWhereBlocksAreOfAnyLength(int located) throws Exception {
        byte[] large = bytes(5 << 20);
        fixture.store(large, 300_001);
        locatesAtOnce(located);
        ReadAhead ahead = new ReadAhead(get(fixture.fs.reader(PATH)));
        ByteBuffer all = ByteBuffer.allocate(large.length);
        while (all.hasRemaining()) {
            int from = all.position();
            all.position(from + ahead.read(from, all.duplicate()));
        }
        assertThat(all.array()).isEqualTo(large);
        assertThat(askedBytes()).isEqualTo(large.length);
    }

    @Test
    void shouldBeginWithLittleAfterAJump() throws Exception {
        byte[] large = bytes(4 << 20);
        fixture.store(large, large.length);
        ReadAhead ahead = new ReadAhead(get(fixture.fs.reader(PATH)));
        ByteBuffer one = ByteBuffer.allocate(1);
        assertThat(ahead.read(1_000_000, one)).isEqualTo(1);
        assertThat(one.get(0)).isEqualTo(large[1_000_000]);
        assertThat(askedBytes()).isEqualTo(SMALL);
        assertThat(ahead.read(1_000_000 + SMALL - 1, one.clear())).isEqualTo(1);
        assertThat(askedBytes()).isEqualTo(SMALL);
        assertThat(ahead.read(1_000_000 + SMALL, one.clear())).isEqualTo(1);
        assertThat(one.get(0)).isEqualTo(large[1_000_000 + SMALL]);
        assertThat(askedBytes()).isEqualTo(5 * SMALL);
        assertThat(ahead.read(999_999, one.clear())).isEqualTo(1);
        assertThat(one.get(0)).isEqualTo(large[999_999]);
        assertThat(askedBytes()).isEqualTo(6 * SMALL);
    }

    @Test
    void shouldLetGoOfWhatItKeeps() throws Exception {
        byte[] large = bytes(1 << 20);
        fixture.store(large, large.length);
        ReadAhead ahead = new ReadAhead(get(fixture.fs.reader(PATH)));
        ByteBuffer one = ByteBuffer.allocate(1);
        ahead.read(500_000, one);
        ahead.drop();
        assertThat(ahead.read(500_000, one.clear())).isEqualTo(1);
        assertThat(one.get(0)).isEqualTo(large[500_000]);
        assertThat(askedBytes()).isEqualTo(2 * SMALL);
    }

    @Test
    void shouldForgetWhatItHasAskedForAhead() throws Exception {
        byte[] large = bytes(2 << 20);
        fixture.store(large, large.length);
        ReadAhead ahead = new ReadAhead(get(fixture.fs.reader(PATH)));
        ByteBuffer piece = ByteBuffer.allocate(SMALL);
        ahead.read(0, piece.clear());
        ahead.read(SMALL, piece.clear());
        long before = askedBytes();
        ahead.drop();
        ahead.read(2 * SMALL, piece.clear());
        assertThat(askedBytes()).isEqualTo(before + SMALL);
    }

    private static int read(ReadAhead ahead, ByteBuffer all) throws InterruptedException {
        int from = all.position();
        int copied = ahead.read(from, all.duplicate());
        all.position(from + copied);
        return copied;
    }

    private static int free(Windows windows, int most) {
        return (int) IntStream.range(0, most)
                .filter(i -> windows.apply(1).isDirect())
                .count();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGiveBackItsWindows(boolean toTheEnd) throws Exception {
        byte[] large = bytes(16 << 20);
        fixture.store(large, 7 << 20);
        fixture.datanodes.sendPieces = true;
        Windows windows = new Windows(5);
        ReadAhead ahead = new ReadAhead(get(fixture.fs.reader(PATH)), windows);
        ByteBuffer all = ByteBuffer.allocate(toTheEnd ? large.length : 9 << 20);
        while (all.hasRemaining()) {
            read(ahead, all);
        }
        assertThat(all.array()).isEqualTo(Arrays.copyOf(large, all.position()));
        ahead.drop();
        ahead.drop();
        assertThat(free(windows, 6)).isEqualTo(5);
    }

    @Test
    void shouldReadAgainWhatIsNotWhatWasWritten() throws Exception {
        byte[] large = bytes(12 << 20);
        fixture.store(large, large.length);
        fixture.datanodes.sendPieces = true;
        fixture.datanodes.sent = written -> {
            byte[] damaged = written.clone();
            for (int at = 5_000; at < damaged.length; at += 3 << 20) {
                damaged[at] ^= 1;
            }
            return damaged;
        };
        ReadAhead ahead = new ReadAhead(get(fixture.fs.reader(PATH)));
        ByteBuffer all = ByteBuffer.allocate(large.length);
        while (all.hasRemaining()) {
            read(ahead, all);
        }
        assertThat(all.array()).isEqualTo(large);
    }

    /** Else two streams would have the same window. */
    @Test
    void shouldGiveNoWindowBackWhileItIsBeingRead() throws Exception {
        byte[] large = bytes(8 << 20);
        fixture.store(large, large.length);
        fixture.datanodes.sendPieces = true;
        Windows windows = new Windows(16);
        ReadAhead ahead = new ReadAhead(get(fixture.fs.reader(PATH)), windows);
        ByteBuffer all = ByteBuffer.allocate(large.length);
        while (all.position() < 3 << 20) {
            read(ahead, all);
        }
        List<CompletableFuture<Message>> held = new ArrayList<>();
        fixture.datanodes.hook = (line, message) -> {
            CompletableFuture<Message> answer = new CompletableFuture<>();
            held.add(answer);
            return answer;
        };
        ByteBuffer one = ByteBuffer.allocate(1);
        // Not where it goes on, so that it asks.
        CompletableFuture<Integer> reads = CompletableFuture.supplyAsync(() -> {
            try {
                return ahead.read(6 << 20, one);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        await().until(() -> !held.isEmpty());

        ahead.drop();

        fixture.datanodes.hook = (line, message) -> null;
        held.get(0)
                .complete(fixture.datanodes
                        .lines
                        .get(0)
                        .serve(fixture.datanodes
                                .asked
                                .get(fixture.datanodes.asked.size() - 1)
                                .message()));
        assertThat(reads.join()).isEqualTo(1);
        assertThat(one.get(0)).isEqualTo(large[6 << 20]);
        List<ByteBuffer> given = IntStream.range(0, 16).mapToObj(windows).toList();
        Set<ByteBuffer> different = Collections.newSetFromMap(new IdentityHashMap<>());
        different.addAll(given);
        assertThat(different).hasSize(16);
    }
}
