package io.lambdafs.client.block;

import static io.lambdafs.client.block.MemoryDatanodes.bytes;
import static io.lambdafs.client.block.MemoryDatanodes.failed;
import static io.lambdafs.client.block.MemoryDatanodes.located;
import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.rpc.block.BlockBytes;
import io.lambdafs.rpc.block.BlockPieces;
import io.lambdafs.rpc.block.ReadBlock;
import io.lambdafs.rpc.block.ReadPieces;
import io.lambdafs.rpc.block.Seal;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Message;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatanodeReaderTest {
    private static final int CHUNK = 256 << 10;
    private static final int LENGTH = 10 * CHUNK + 77;
    private static final Duration PAUSE = Duration.ofMillis(20);

    private boolean isFull;
    private final ManualScheduler scheduler = new ManualScheduler() {
        @Override
        public Timer schedule(long delayNanos, Runnable task) {
            if (isFull) {
                throw new FsException(ErrorCode.OVERLOADED, "full");
            }
            return super.schedule(delayNanos, task);
        }
    };
    private final MemoryDatanodes datanodes = new MemoryDatanodes();
    private final DatanodeTransfer transfer = new DatanodeTransfer(datanodes, scheduler);
    private final byte[] content = bytes(LENGTH);
    private final Block block = new Block(5, 3, LENGTH, DatanodeWriter.crc(content));
    private final BlockReader reader = transfer.read(located(block, 0, 1, 2));

    DatanodeReaderTest() {
        datanodes.blocks.put(block.label(), content);
    }

    private void assertReads(long offset, int length) {
        CompletionStage<ByteBuffer> read = reader.read(offset, length);
        assertThat(read.toCompletableFuture()).isCompleted();
        ByteBuffer bytes = read.toCompletableFuture().join();
        byte[] got = new byte[bytes.remaining()];
        bytes.get(got);
        assertThat(got).isEqualTo(Arrays.copyOfRange(content, (int) offset, (int) offset + length));
    }

    private static FsException failure(CompletionStage<?> stage) {
        assertThat(stage.toCompletableFuture()).isDone();
        try {
            throw new AssertionError(
                    "succeeded with " + stage.toCompletableFuture().join());
        } catch (CompletionException e) {
            return FsException.of(e);
        }
    }

    private void datanodeAnswers(int port, Function<ReadBlock, CompletionStage<Message>> how) {
        datanodes.hook = (line, message) -> line.port == port ? how.apply((ReadBlock) message) : null;
    }

    @Test
    void shouldReadAnyRange() {
        assertReads(0, LENGTH);
        assertReads(0, 1);
        assertReads(LENGTH - 1, 1);
        assertReads(100_000, 3 * CHUNK);
        assertReads(CHUNK, CHUNK);
        assertThat(datanodes.lines).hasSize(1);
    }

    @Test
    void shouldAskForChunksThatEndWhereChecksumsDoAndForSomeAtOnce() {
        List<CompletableFuture<Message>> held = new ArrayList<>();
        datanodes.hook = (line, message) -> {
            CompletableFuture<Message> answer = new CompletableFuture<>();
            held.add(answer);
            return answer;
        };
        CompletionStage<ByteBuffer> read = reader.read(1_000, LENGTH - 1_000);
        assertThat(datanodes.asked(ReadBlock.class)).hasSize(8);
        for (int i = 0; i < held.size(); i++) {
            ReadBlock asked = datanodes.asked(ReadBlock.class).get(i);
            assertThat((asked.offset() + asked.length()) % CHUNK).isEqualTo(i == 10 ? 77 : 0);
            held.get(i).complete(datanodes.lines.get(0).serve(asked));
        }
        assertThat(held).hasSize(11);
        assertThat(read.toCompletableFuture()).isCompleted();
        assertThat(read.toCompletableFuture().join())
                .isEqualTo(ByteBuffer.wrap(content, 1_000, LENGTH - 1_000).slice());
    }

    @ParameterizedTest
    @CsvSource({"-1,1", "0,0", "0,-1", "0,8388609", LENGTH + ",1", (LENGTH - 1) + ",2"})
    void shouldRefuseWhatIsNoRangeOfTheBlock(long offset, int length) {
        assertThat(failure(reader.read(offset, length)).code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(datanodes.lines).isEmpty();
    }

    @Test
    void shouldReadAsMuchAtOnceAsItMay() {
        byte[] large = bytes(BlockReader.MAX_LENGTH);
        Block other = new Block(6, 3, large.length, 0);
        datanodes.blocks.put(other.label(), large);
        CompletionStage<ByteBuffer> read = transfer.read(located(other, 0, 1)).read(0, large.length);
        assertThat(read.toCompletableFuture().join()).isEqualTo(ByteBuffer.wrap(large));
    }

    @Test
    void shouldSayThatThereIsNoDatanode() {
        FsException why = failure(transfer.read(located(block, 0)).read(0, 1));
        assertThat(why.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(why).hasMessageContaining("read " + block.label());
    }

    @Test
    void shouldGoOnAtTheNextDatanodeWhereOneFails() {
        datanodeAnswers(1, asked -> failed(ErrorCode.BLOCK_MISSING));
        assertReads(0, 2 * CHUNK);
        assertThat(datanodes.lines.get(0).isOpen()).isFalse();
        int before = datanodes.asked.size();
        assertReads(CHUNK, 1);
        assertThat(datanodes.asked).hasSize(before + 1);
        assertThat(datanodes.asked.get(before).port()).isEqualTo(2);
    }

    @Test
    void shouldAskEachDatanodeTwiceAndThenGiveUp() {
        datanodes.hook = (line, message) -> failed(ErrorCode.NOT_READY);
        FsException why = failure(reader.read(0, 1));
        assertThat(why.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(why).hasMessageContaining("says the test");
        assertThat(datanodes.ports(ReadBlock.class)).containsExactly(1, 2, 1, 2);
    }

    @Test
    void shouldAskNobodyElseWhereTheTokenIsRefused() {
        datanodes.hook = (line, message) -> failed(ErrorCode.TOKEN_EXPIRED);
        assertThat(failure(reader.read(0, 1)).code()).isEqualTo(ErrorCode.TOKEN_EXPIRED);
        assertThat(datanodes.ports(ReadBlock.class)).containsExactly(1);
    }

    @Test
    void shouldTakeNoBytesButThoseItAskedForUnchanged() {
        List<Function<ReadBlock, Message>> wrong = List.of(
                asked -> new BlockBytes(asked.offset() + 1, new byte[5], DatanodeWriter.crc(new byte[5])),
                asked -> new BlockBytes(asked.offset(), new byte[4], DatanodeWriter.crc(new byte[4])),
                asked -> new BlockBytes(asked.offset(), new byte[5], 1 + DatanodeWriter.crc(new byte[5])),
                asked -> Done.DONE);
        for (Function<ReadBlock, Message> each : wrong) {
            datanodeAnswers(1, asked -> CompletableFuture.completedFuture(each.apply(asked)));
            BlockReader fresh = transfer.read(located(block, 0, 1, 2));
            ByteBuffer read = fresh.read(7, 5).toCompletableFuture().join();
            assertThat(read).isEqualTo(ByteBuffer.wrap(content, 7, 5).slice());
        }
    }

    @Test
    void shouldSayThatBytesWereChangedOnTheirWayFromAll() {
        datanodes.hook = (line, message) ->
                CompletableFuture.completedFuture(new BlockBytes(0, new byte[5], 1 + DatanodeWriter.crc(new byte[5])));
        assertThat(failure(reader.read(0, 5)).code()).isEqualTo(ErrorCode.BLOCK_CORRUPT);
    }

    @Test
    void shouldPauseBeforeItAsksAgainWhereThereIsNoRoom() {
        datanodes.hook = (line, message) -> failed(ErrorCode.OVERLOADED);
        CompletionStage<ByteBuffer> read = reader.read(0, 1);
        for (int attempt = 1; attempt <= 3; attempt++) {
            assertThat(datanodes.asked).hasSize(attempt);
            scheduler.advance(PAUSE.multipliedBy(attempt).minusNanos(1));
            assertThat(datanodes.asked).hasSize(attempt);
            scheduler.advance(1);
        }
        assertThat(datanodes.asked).hasSize(4);
        assertThat(failure(read).code()).isEqualTo(ErrorCode.OVERLOADED);
    }

    @Test
    void shouldFailWhereNoTimerCanBeHadForThePause() {
        datanodes.hook = (line, message) -> failed(ErrorCode.OVERLOADED);
        isFull = true;
        assertThat(failure(reader.read(0, 1))).hasMessageContaining("full");
        assertThat(datanodes.asked).hasSize(1);
    }

    @Test
    void shouldGiveItsConnectionBackWhenItIsClosed() {
        assertReads(0, 1);
        reader.close();
        reader.close();
        assertThat(datanodes.lines.get(0).isOpen()).isTrue();
        assertThat(failure(reader.read(0, 1)).code()).isEqualTo(ErrorCode.INTERRUPTED);

        transfer.read(located(block, 0, 1)).read(0, 1);
        assertThat(datanodes.lines).hasSize(1);
    }

    @Test
    void shouldGiveItsConnectionBackOnlyWhenNothingIsUnderWayOnIt() {
        CompletableFuture<Message> late = new CompletableFuture<>();
        datanodes.hook = (line, message) -> late;
        CompletionStage<ByteBuffer> read = reader.read(0, 1);
        reader.close();
        datanodes.hook = (line, message) -> null;
        transfer.read(located(block, 0, 1)).read(0, 1);
        assertThat(datanodes.lines).hasSize(2);

        late.complete(
                datanodes.lines.get(0).serve(datanodes.asked(ReadBlock.class).get(0)));
        assertThat(read.toCompletableFuture()).isCompleted();
        transfer.read(located(block, 0, 1)).read(0, 1);
        assertThat(datanodes.lines).hasSize(2);
    }

    @Test
    void shouldLetChunksEndOnAConnectionOnWhichOneHasFailed() {
        List<CompletableFuture<Message>> held = new ArrayList<>();
        datanodeAnswers(1, asked -> {
            CompletableFuture<Message> answer = new CompletableFuture<>();
            held.add(answer);
            return answer;
        });
        CompletionStage<ByteBuffer> read = reader.read(0, 2 * CHUNK);
        held.get(0).completeExceptionally(new FsException(ErrorCode.TIMED_OUT, "late"));
        assertThat(datanodes.ports(ReadBlock.class)).containsExactly(1, 1, 2);
        assertThat(datanodes.lines.get(0).isOpen()).isTrue();
        ReadBlock second = datanodes.asked(ReadBlock.class).get(1);
        held.get(1).complete(datanodes.lines.get(0).serve(second));
        assertThat(datanodes.lines.get(0).isOpen()).isFalse();
        assertThat(read.toCompletableFuture().join()).isEqualTo(ByteBuffer.wrap(content, 0, 2 * CHUNK));
        assertThat(datanodes.ports(ReadBlock.class)).containsExactly(1, 1, 2);
    }

    @Test
    void shouldCheckPiecesItselfAndAskForTheRestAsBefore() {
        datanodes.sendPieces = true;

        assertReads(0, LENGTH);
        assertThat(datanodes.asked(ReadBlock.class)).isEmpty();
        assertReads(100_000, 3 * CHUNK);

        assertThat(datanodes.asked(ReadPieces.class))
                .allSatisfy(asked -> assertThat(asked.offset() % Seal.GRANULE).isZero());
        assertThat(datanodes.asked(ReadBlock.class))
                .extracting(ReadBlock::offset)
                .containsExactly(100_000L, 3L * CHUNK);
    }

    @Test
    void shouldAskForMoreAtOnceWhereTheDatanodeSendsFromAFile() {
        datanodes.sendPieces = true;

        assertReads(0, LENGTH);

        assertThat(datanodes.asked(ReadPieces.class))
                .extracting(ReadPieces::length)
                .containsExactly(CHUNK, 4 * CHUNK, 4 * CHUNK, CHUNK, 77);
    }

    @Test
    void shouldAskForLittleAtOnceWhereTheDatanodeNoLongerSendsFromAFile() {
        datanodes.sendPieces = true;
        assertReads(0, 2 * CHUNK);
        datanodes.hook = (line, message) -> message instanceof ReadPieces asked
                ? CompletableFuture.completedFuture(
                        line.serve(new ReadBlock(asked.token(), asked.offset(), asked.length())))
                : null;
        datanodes.asked.clear();

        assertReads(0, LENGTH);

        assertThat(datanodes.asked(ReadPieces.class))
                .extracting(ReadPieces::length)
                .startsWith(4 * CHUNK, CHUNK, CHUNK);
    }

    @Test
    void shouldHaveTheDatanodeItselfLookAtPiecesThatAreNotWhatWasWritten() {
        datanodes.sendPieces = true;
        for (int at : new int[] {0, Seal.GRANULE - 1, CHUNK + 70_000, LENGTH - 1}) {
            datanodes.sent = written -> {
                byte[] damaged = written.clone();
                damaged[at] ^= 1;
                return damaged;
            };
            datanodes.asked.clear();
            reader.close();
            BlockReader fresh = transfer.read(located(block, 0, 1, 2));

            assertThat(fresh.read(0, LENGTH).toCompletableFuture().join()).isEqualTo(ByteBuffer.wrap(content));

            assertThat(datanodes.asked(ReadBlock.class))
                    .singleElement()
                    .satisfies(asked -> assertThat(asked.offset()).isEqualTo(at - at % CHUNK));
            assertThat(datanodes.ports(ReadBlock.class)).containsExactly(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Seal.GRANULE - 1, CHUNK + 70_000, LENGTH - 1})
    void shouldReadAgainWhatIsFoundToBeWrongOnceItIsWanted(int at) {
        datanodes.sendPieces = true;
        datanodes.sent = written -> {
            byte[] damaged = written.clone();
            damaged[at] ^= 1;
            return damaged;
        };
        List<ByteBuffer> made = new ArrayList<>();

        Received received = reader.receive(0, LENGTH, length -> {
                    made.add(ByteBuffer.allocate(length + 1));
                    return made.get(0);
                })
                .toCompletableFuture()
                .join();

        assertThat(made).singleElement().isSameAs(received.buffer());
        assertThat(datanodes.asked(ReadBlock.class)).isEmpty();
        ByteBuffer bytes = received.check().get().toCompletableFuture().join();
        assertThat(bytes).isEqualTo(ByteBuffer.wrap(content)).isNotSameAs(received.buffer());
        assertThat(datanodes.asked(ReadBlock.class))
                .singleElement()
                .satisfies(
                        asked -> assertThat((long) at).isBetween(asked.offset(), asked.offset() + asked.length() - 1));
    }

    /** A late answer may still be written into the buffer, which others use by then. */
    @Test
    void shouldKeepABufferToItselfWhereAnAnswerWasGivenUp() {
        datanodes.sendPieces = true;
        datanodes.hook = (line, message) ->
                line.port == 1 ? CompletableFuture.failedFuture(new FsException(ErrorCode.TIMED_OUT, "late")) : null;
        List<ByteBuffer> made = new ArrayList<>();

        Received received = reader.receive(0, LENGTH, length -> {
                    made.add(ByteBuffer.allocate(length));
                    return made.get(0);
                })
                .toCompletableFuture()
                .join();

        assertThat(made).singleElement().isNotSameAs(received.buffer());
        ByteBuffer bytes = received.check().get().toCompletableFuture().join();
        assertThat(bytes).isEqualTo(ByteBuffer.wrap(content)).isNotSameAs(made.get(0));
    }

    @Test
    void shouldPutWhatItReceivesIntoTheBufferMade() {
        for (boolean inPieces : new boolean[] {false, true}) {
            datanodes.sendPieces = inPieces;
            ByteBuffer buffer = ByteBuffer.allocateDirect(LENGTH + 5);
            Received received = transfer.read(located(block, 0, 1))
                    .receive(100, LENGTH - 100, length -> buffer)
                    .toCompletableFuture()
                    .join();
            ByteBuffer bytes = received.check().get().toCompletableFuture().join();
            assertThat(bytes)
                    .isSameAs(buffer)
                    .isEqualTo(ByteBuffer.wrap(content, 100, LENGTH - 100).slice());
        }
    }

    @Test
    void shouldMakeNoBufferBeforeSomethingComes() {
        CompletableFuture<Message> answer = new CompletableFuture<>();
        datanodes.sendPieces = true;
        datanodes.hook = (line, message) -> answer;
        List<Integer> made = new ArrayList<>();
        CompletionStage<Received> received = reader.receive(0, CHUNK, length -> {
            made.add(length);
            return ByteBuffer.allocate(length);
        });
        assertThat(made).isEmpty();
        datanodes.hook = (line, message) -> null;
        answer.complete(datanodes.lines.get(0).serve(datanodes.asked.get(0).message()));
        assertThat(received.toCompletableFuture()).isCompleted();
        assertThat(made).containsExactly(CHUNK);
    }

    @Test
    void shouldTakeNoPiecesButThoseItAskedFor() {
        datanodes.sendPieces = true;
        List<Function<ReadPieces, Message>> wrong = List.of(
                asked -> new BlockPieces(asked.offset() + Seal.GRANULE, new int[4], null),
                asked -> new BlockPieces(asked.offset(), new int[3], null),
                asked -> new BlockPieces(asked.offset(), new int[4], null),
                asked -> new BlockBytes(asked.offset(), new byte[5], DatanodeWriter.crc(new byte[5])),
                asked -> Done.DONE);
        for (Function<ReadPieces, Message> each : wrong) {
            datanodes.hook = (line, message) -> line.port == 1 && message instanceof ReadPieces asked
                    ? CompletableFuture.completedFuture(each.apply(asked))
                    : null;
            BlockReader fresh = transfer.read(located(block, 0, 1, 2));
            ByteBuffer read = fresh.read(0, CHUNK).toCompletableFuture().join();
            assertThat(read).isEqualTo(ByteBuffer.wrap(content, 0, CHUNK));
        }
    }

    @Test
    void shouldTakeCheckedBytesFromADatanodeThatHasNoFile() {
        datanodes.sendPieces = true;
        datanodes.hook = (line, message) -> message instanceof ReadPieces asked
                ? CompletableFuture.completedFuture(
                        line.serve(new ReadBlock(asked.token(), asked.offset(), asked.length())))
                : null;

        assertReads(0, LENGTH);
    }
}
