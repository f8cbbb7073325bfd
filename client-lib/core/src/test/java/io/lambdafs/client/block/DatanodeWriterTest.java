package io.lambdafs.client.block;

import static io.lambdafs.client.block.MemoryDatanodes.bytes;
import static io.lambdafs.client.block.MemoryDatanodes.failed;
import static io.lambdafs.client.block.MemoryDatanodes.located;
import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.block.FinishForReceipt;
import io.lambdafs.rpc.block.OpenWrite;
import io.lambdafs.rpc.block.WriteChunk;
import io.lambdafs.rpc.block.WriteOpened;
import io.lambdafs.rpc.block.WriteReceipt;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Message;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class DatanodeWriterTest {
    private static final int CHUNK = DatanodeWriter.CHUNK_BYTES;
    private static final int MOST = 8 << 20;
    private static final String LABEL = "block 5 of generation 3";

    private boolean isFull;
    private final ManualScheduler scheduler = new ManualScheduler() {
        @Override
        public void execute(Runnable command) {
            if (isFull) {
                throw new FsException(ErrorCode.OVERLOADED, "full");
            }
            super.execute(command);
        }
    };
    private final MemoryDatanodes datanodes = new MemoryDatanodes();
    private final DatanodeTransfer transfer = new DatanodeTransfer(datanodes, scheduler);
    private final BlockWriter writer = transfer.write(located(new Block(5, 3, MOST, 0), 0, 1, 2));

    private static FsException failure(CompletionStage<?> stage) {
        assertThat(stage.toCompletableFuture()).isDone();
        try {
            throw new AssertionError(
                    "succeeded with " + stage.toCompletableFuture().join());
        } catch (CompletionException e) {
            return FsException.of(e);
        }
    }

    private static ErrorCode code(CompletionStage<?> stage) {
        return failure(stage).code();
    }

    private CompletionStage<Void> write(byte[] content) {
        return writer.write(ByteBuffer.wrap(content));
    }

    private void answers(Class<? extends Message> kind, CompletionStage<Message> answer) {
        datanodes.hook = (line, message) -> kind.isInstance(message) ? answer : null;
    }

    /** Withholds the answers to chunks; {@link #acknowledge} gives them. */
    private List<CompletableFuture<Message>> withhold(int windowBytes) {
        List<CompletableFuture<Message>> held = new ArrayList<>();
        datanodes.hook = (line, message) -> {
            if (message instanceof OpenWrite) {
                line.serve(message);
                return CompletableFuture.completedFuture(new WriteOpened(line.port, windowBytes));
            }
            if (message instanceof WriteChunk) {
                CompletableFuture<Message> answer = new CompletableFuture<>();
                held.add(answer);
                Message good = line.serve(message);
                assertThat(good).isEqualTo(Done.DONE);
                return answer;
            }
            return null;
        };
        return held;
    }

    private static void acknowledge(CompletableFuture<Message> chunk) {
        chunk.complete(Done.DONE);
    }

    @Test
    void shouldCutABlockIntoChunksAndMakeItDurable() {
        byte[] content = bytes(2 * CHUNK + 1_000);
        for (int at = 0; at < content.length; at += 100_000) {
            int length = Math.min(100_000, content.length - at);
            assertThat(writer.write(ByteBuffer.wrap(content, at, length)).toCompletableFuture())
                    .isCompleted();
        }
        assertThat(datanodes.asked(WriteChunk.class)).hasSize(2);
        WrittenBlock done = writer.finish().toCompletableFuture().join();
        Block made = done.block();

        assertThat(made).isEqualTo(new Block(5, 3, content.length, DatanodeWriter.crc(content)));
        assertThat(done.receipt()).isEqualTo(MemoryDatanodes.receipt(made));
        assertThat(datanodes.blocks.get(LABEL)).isEqualTo(content);
        assertThat(datanodes.asked(WriteChunk.class))
                .extracting(chunk -> chunk.bytes().length)
                .containsExactly(CHUNK, CHUNK, 1_000);
        assertThat(datanodes.ports(Message.class)).containsOnly(1);
        assertThat(datanodes.lines.get(0).isOpen()).isTrue();
        assertThat(datanodes.lines.get(0).isAuthenticated()).isTrue();
    }

    @Test
    void shouldWriteWithoutAReceiptToADatanodeOfAnEarlierVersion() {
        datanodes.givesReceipts = false;
        write(bytes(10));

        WrittenBlock done = writer.finish().toCompletableFuture().join();

        assertThat(done.block()).isEqualTo(new Block(5, 3, 10, DatanodeWriter.crc(bytes(10))));
        assertThat(done.receipt()).isEmpty();
        assertThat(datanodes.blocks.get(LABEL)).isEqualTo(bytes(10));
    }

    @Test
    void shouldSendNothingBeforeAWholeChunk() {
        write(bytes(CHUNK - 1));
        assertThat(datanodes.lines).isEmpty();
        write(bytes(1));
        assertThat(datanodes.asked(WriteChunk.class)).hasSize(1);
        writer.finish();
        assertThat(datanodes.asked(WriteChunk.class)).hasSize(1);
        assertThat(datanodes.asked(FinishForReceipt.class)).hasSize(1);
    }

    @Test
    void shouldHaveNoMoreUnderWayThanTheDatanodeGrants() {
        List<CompletableFuture<Message>> held = withhold(2 * CHUNK);
        write(bytes(4 * CHUNK));
        assertThat(held).hasSize(2);
        acknowledge(held.get(0));
        assertThat(held).hasSize(3);
        acknowledge(held.get(1));
        acknowledge(held.get(2));
        assertThat(held).hasSize(4);

        CompletionStage<WrittenBlock> made = writer.finish();
        assertThat(made.toCompletableFuture()).isCompleted();
    }

    @Test
    void shouldTakeMoreOnlyAsLongAsLittleWaits() {
        List<CompletableFuture<Message>> held = withhold(CHUNK);
        assertThat(write(bytes(4 * CHUNK)).toCompletableFuture()).isCompleted();
        // One is under way, three wait, and one more brings them to the limit.
        assertThat(write(bytes(CHUNK)).toCompletableFuture()).isCompleted();
        CompletionStage<Void> more = write(bytes(CHUNK));
        assertThat(more.toCompletableFuture()).isNotDone();
        acknowledge(held.get(0));
        assertThat(more.toCompletableFuture()).isCompleted();
    }

    @Test
    void shouldTakeExactlySoManyBytesAsTheBlockMayHave() {
        assertThat(write(bytes(MOST)).toCompletableFuture()).isCompleted();
        CompletionStage<Void> tooMuch = write(bytes(1));
        assertThat(code(tooMuch)).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(failure(tooMuch)).hasMessageContaining(LABEL).hasMessageContaining(String.valueOf(MOST));
        assertThat(datanodes.lines.get(0).isOpen()).isFalse();
        assertThat(code(write(bytes(1)))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(code(writer.finish())).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }

    @Test
    void shouldRefuseABlockWithoutAByte() {
        assertThat(code(writer.finish())).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(datanodes.lines).isEmpty();
    }

    @Test
    void shouldTakeNothingOnceItIsFinishing() {
        answers(FinishForReceipt.class, new CompletableFuture<>());
        write(bytes(10));
        CompletionStage<WrittenBlock> made = writer.finish();
        assertThat(code(write(bytes(1)))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(code(made)).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }

    @Test
    void shouldAskTheNextDatanodeWhereOneTakesNoBlock() {
        datanodes.hook =
                (line, message) -> line.port == 1 && message instanceof OpenWrite ? failed(ErrorCode.OVERLOADED) : null;
        write(bytes(CHUNK));
        assertThat(writer.finish().toCompletableFuture()).isCompleted();
        assertThat(datanodes.ports(OpenWrite.class)).containsExactly(1, 2);
        assertThat(datanodes.lines.get(0).isOpen()).isFalse();
    }

    @Test
    void shouldAskNobodyElseWhereTheBlockItselfIsRefused() {
        answers(OpenWrite.class, failed(ErrorCode.STALE_GENERATION));
        write(bytes(CHUNK));
        assertThat(code(writer.finish())).isEqualTo(ErrorCode.STALE_GENERATION);
        assertThat(datanodes.ports(OpenWrite.class)).containsExactly(1);
        assertThat(datanodes.lines.get(0).isOpen()).isFalse();
    }

    @Test
    void shouldSayThatNoneServesTheBlock() {
        datanodes.connecting = CompletableFuture.failedFuture(new FsException(ErrorCode.TIMED_OUT, "too far away"));
        write(bytes(CHUNK));
        FsException why = failure(writer.finish());
        assertThat(why.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(why).hasMessageContaining("write " + LABEL).hasMessageContaining("too far away");

        BlockWriter nowhere = transfer.write(located(new Block(6, 3, MOST, 0), 0));
        nowhere.write(ByteBuffer.wrap(bytes(CHUNK)));
        assertThat(failure(nowhere.finish())).hasMessageContaining("no datanode serves the block store blocks");
    }

    @Test
    void shouldAskTheSameDatanodeAgainWhereAKeptConnectionHasEnded() {
        write(bytes(10));
        writer.finish();
        BlockWriter next = transfer.write(located(new Block(6, 3, MOST, 0), 0, 1, 2));
        datanodes.hook = (line, message) -> line == datanodes.lines.get(0)
                ? CompletableFuture.failedFuture(new FsException(ErrorCode.CONNECTION_LOST, "closed by peer"))
                : null;
        next.write(ByteBuffer.wrap(bytes(10)));
        assertThat(next.finish().toCompletableFuture()).isCompleted();
        assertThat(datanodes.lines).extracting(line -> line.port).containsExactly(1, 1);
        assertThat(datanodes.lines.get(0).isOpen()).isFalse();
    }

    @Test
    void shouldWriteTheNextBlockOverTheSameConnection() {
        write(bytes(10));
        writer.finish();
        BlockWriter next = transfer.write(located(new Block(6, 3, MOST, 0), 0, 1));
        next.write(ByteBuffer.wrap(bytes(11)));
        assertThat(next.finish().toCompletableFuture()).isCompleted();
        assertThat(datanodes.lines).hasSize(1);
        assertThat(datanodes.blocks).hasSize(2);
    }

    @Test
    void shouldEndWithAChunkThatIsNotTaken() {
        List<CompletableFuture<Message>> held = withhold(CHUNK);
        write(bytes(5 * CHUNK));
        CompletionStage<Void> waits = write(bytes(CHUNK));
        held.get(0).completeExceptionally(new FsException(ErrorCode.CONNECTION_LOST, "gone"));
        assertThat(code(waits)).isEqualTo(ErrorCode.CONNECTION_LOST);
        assertThat(code(write(bytes(1)))).isEqualTo(ErrorCode.CONNECTION_LOST);
        assertThat(code(writer.finish())).isEqualTo(ErrorCode.CONNECTION_LOST);
        assertThat(datanodes.lines.get(0).isOpen()).isFalse();
        assertThat(held).hasSize(1);
    }

    @Test
    void shouldBelieveNoAnswerThatIsNotToWhatItAsked() {
        answers(
                FinishForReceipt.class,
                CompletableFuture.completedFuture(new WriteReceipt(new Block(5, 3, 11, 0), new byte[1])));
        write(bytes(10));
        assertThat(code(writer.finish())).isEqualTo(ErrorCode.INTERNAL);
        assertThat(datanodes.lines.get(0).isOpen()).isFalse();

        answers(OpenWrite.class, CompletableFuture.completedFuture(Done.DONE));
        BlockWriter other = transfer.write(located(new Block(6, 3, MOST, 0), 0, 1));
        other.write(ByteBuffer.wrap(bytes(10)));
        assertThat(code(other.finish())).isEqualTo(ErrorCode.INTERNAL);
    }

    @Test
    void shouldFailWhereTheBlockIsNotMadeDurable() {
        answers(FinishForReceipt.class, failed(ErrorCode.STORE_FULL));
        write(bytes(10));
        assertThat(code(writer.finish())).isEqualTo(ErrorCode.STORE_FULL);
        assertThat(datanodes.lines.get(0).isOpen()).isFalse();
    }

    @Test
    void shouldDropWhatWasWrittenWhereItIsGivenUp() {
        write(bytes(CHUNK));
        writer.abort();
        writer.abort();
        assertThat(datanodes.lines.get(0).isOpen()).isFalse();
        assertThat(code(writer.finish())).isEqualTo(ErrorCode.INTERRUPTED);
        assertThat(failure(write(bytes(1)))).hasMessageContaining(LABEL);
        assertThat(datanodes.blocks).isEmpty();
    }

    @Test
    void shouldDoNothingWhereItIsGivenUpAfterItsEnd() {
        write(bytes(10));
        CompletionStage<WrittenBlock> made = writer.finish();
        writer.abort();
        assertThat(made.toCompletableFuture()).isCompleted();
        assertThat(datanodes.lines.get(0).isOpen()).isTrue();
    }

    @Test
    void shouldCloseAConnectionThatOpensAfterItWasGivenUp() {
        CompletableFuture<Message> opened = new CompletableFuture<>();
        answers(OpenWrite.class, opened);
        write(bytes(2 * CHUNK));
        writer.abort();
        assertThat(datanodes.lines.get(0).isOpen()).isTrue();
        opened.complete(new WriteOpened(1, CHUNK));
        assertThat(datanodes.lines.get(0).isOpen()).isFalse();
        assertThat(datanodes.asked(WriteChunk.class)).isEmpty();
    }

    @Test
    void shouldDialOnceHoweverMuchIsWrittenMeanwhile() {
        CompletableFuture<Connection> dialled = new CompletableFuture<>();
        datanodes.connecting = dialled;
        write(bytes(CHUNK));
        write(bytes(CHUNK));
        dialled.complete(datanodes.line(1));
        assertThat(writer.finish().toCompletableFuture()).isCompleted();
        assertThat(datanodes.asked(OpenWrite.class)).hasSize(1);
        assertThat(datanodes.asked(WriteChunk.class)).hasSize(2);
    }

    @Test
    void shouldFailWhereNoThreadTakesItsWork() {
        isFull = true;
        write(bytes(CHUNK));
        assertThat(code(writer.finish())).isEqualTo(ErrorCode.OVERLOADED);
    }
}
