package io.lambdafs.client;

import static io.lambdafs.client.FileFixture.DIRECTORY;
import static io.lambdafs.client.FileFixture.GENERATION;
import static io.lambdafs.client.FileFixture.ID;
import static io.lambdafs.client.FileFixture.PATH;
import static io.lambdafs.client.FileFixture.get;
import static io.lambdafs.client.block.MemoryDatanodes.bytes;
import static io.lambdafs.client.block.MemoryDatanodes.failed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.BlockOperation.AddBlock;
import io.lambdafs.model.operation.BlockOperation.CompleteBlocks;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.rpc.block.FinishForReceipt;
import io.lambdafs.rpc.block.WriteChunk;
import io.lambdafs.rpc.message.Message;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileWriterTest {
    private static final int BLOCK = FileFixture.BLOCK_BYTES;
    private static final OpenFile FILE = new OpenFile(ID, DIRECTORY);
    private static final Duration RENEWAL = Duration.ofSeconds(20);

    private final FileFixture fixture = new FileFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private FileWriter writer() {
        return get(fixture.fs.writer(PATH, CreateOptions.DEFAULT));
    }

    private FileWriter appender(long generation, int blocks, long size, byte @Nullable [] head) {
        fixture.hook = operation -> operation instanceof BlockOperation.TakeLease
                ? new Reply.Leased(
                        FileFixture.attributes(ID, size, INode.Content.WRITING), DIRECTORY, generation, blocks, head)
                : null;
        return get(fixture.fs.appender(PATH));
    }

    private void refuses(Class<? extends Operation<?>> kind, ErrorCode code) {
        fixture.hook = operation -> kind.isInstance(operation) ? new Reply.Failure(code, "says the test") : null;
    }

    /** The first datanode fails once. */
    private void failsOnce(Class<? extends Message> kind, ErrorCode code) {
        boolean[] done = {false};
        fixture.datanodes.hook = (line, message) -> {
            if (done[0] || !kind.isInstance(message)) {
                return null;
            }
            done[0] = true;
            return failed(code);
        };
    }

    private static void assertFails(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private static void write(FileWriter writer, byte[] content, int piece) throws InterruptedException {
        for (int at = 0; at < content.length; at += piece) {
            writer.write(ByteBuffer.wrap(content, at, Math.min(piece, content.length - at)));
        }
    }

    private static CompleteBlocks completed(long generation, int blocks, Block last) {
        return new CompleteBlocks(PATH, FILE, generation, blocks, last, FileFixture.receipt(last));
    }

    // Small files

    @ParameterizedTest
    @ValueSource(ints = {1, 8 << 10, (8 << 10) + 1, 100_000, Operation.MAX_INLINE_BYTES})
    void shouldGiveASmallFileItsContentByOneMessage(int length) throws Exception {
        FileWriter writer = writer();
        assertThat(writer.startLength()).isZero();
        write(writer, bytes(length), 5_000);
        writer.complete();

        assertThat(fixture.asked).hasSize(2);
        assertThat(fixture.asked.get(1)).isInstanceOfSatisfying(FileOperation.Complete.class, complete -> {
            assertThat(complete.path()).isEqualTo(PATH);
            assertThat(complete.file()).isEqualTo(FILE);
            assertThat(complete.generation()).isZero();
            assertThat(complete.content()).isEqualTo(bytes(length));
        });
        assertThat(fixture.datanodes.lines).isEmpty();
    }

    @Test
    void shouldAskNothingMoreForAnEmptyFile() throws Exception {
        FileWriter writer = writer();
        writer.sync();
        writer.complete();
        assertThat(fixture.asked).hasSize(1);
    }

    @Test
    void shouldAllocateNoBufferBeforeTheFirstWrite() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<FileWriter> writers = new ArrayList<>(1_000);
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        for (int i = 0; i < 1_000; i++) {
            writers.add(new FileWriter(fixture.fs, PATH, FILE));
        }
        long after = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        assertThat((after - before) / writers.size()).isLessThan(512);
    }

    @Test
    void shouldWriteABlockWhereTheServiceKeepsLessThanThis() throws Exception {
        refuses(FileOperation.Complete.class, ErrorCode.NEEDS_DATANODE);
        FileWriter writer = writer();
        write(writer, bytes(100), 100);
        writer.complete();
        assertThat(fixture.content()).isEqualTo(bytes(100));
        assertThat(fixture.isComplete).isTrue();
    }

    @Test
    void shouldFailWhereItsContentIsRefusedForAnotherReason() throws Exception {
        refuses(FileOperation.Complete.class, ErrorCode.NOT_FOUND);
        FileWriter writer = writer();
        write(writer, bytes(100), 100);
        assertFails(ErrorCode.NOT_FOUND, writer::complete);
        assertThat(fixture.datanodes.lines).isEmpty();
    }

    // Blocks

    @ParameterizedTest
    @ValueSource(ints = {Operation.MAX_INLINE_BYTES + 1, BLOCK, BLOCK + 1, 2 * BLOCK, 3 * BLOCK - 1})
    void shouldWriteALargeFileBlockByBlock(int length) throws Exception {
        FileWriter writer = writer();
        write(writer, bytes(length), 70_000);
        writer.complete();

        assertThat(fixture.content()).isEqualTo(bytes(length));
        List<AddBlock> added = fixture.asked(AddBlock.class);
        int blocks = (length + BLOCK - 1) / BLOCK;
        assertThat(added).hasSize(blocks);
        for (int i = 0; i < blocks; i++) {
            Block before = i == 0 ? null : fixture.blocks.get(i - 1);
            assertThat(added.get(i))
                    .usingRecursiveComparison()
                    .isEqualTo(
                            new AddBlock(PATH, FILE, i == 0 ? 0 : GENERATION, i, before, FileFixture.receipt(before)));
        }
        assertThat(fixture.asked(CompleteBlocks.class))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(completed(GENERATION, blocks, fixture.blocks.get(blocks - 1)));
        assertThat(fixture.asked(FileOperation.Complete.class)).isEmpty();
    }

    @Test
    void shouldMakeDurableWhatWasWrittenSoFarAndBeginAnotherBlock() throws Exception {
        FileWriter writer = writer();
        byte[] content = bytes(30);
        writer.write(ByteBuffer.wrap(content, 0, 10));
        writer.sync();
        assertThat(fixture.content()).isEqualTo(Arrays.copyOf(content, 10));
        int before = fixture.asked.size();
        writer.sync();
        assertThat(fixture.asked).hasSize(before);

        writer.write(ByteBuffer.wrap(content, 10, 20));
        writer.complete();
        assertThat(fixture.content()).isEqualTo(content);
        assertThat(fixture.blocks).extracting(Block::length).containsExactly(10L, 20L);
    }

    @Test
    void shouldCompleteWhatHasBeenSyncedAsItIs() throws Exception {
        FileWriter writer = writer();
        write(writer, bytes(10), 10);
        writer.sync();
        writer.complete();
        assertThat(fixture.asked(CompleteBlocks.class))
                .containsExactly(new CompleteBlocks(PATH, FILE, GENERATION, 1, null));
        assertThat(fixture.content()).isEqualTo(bytes(10));
    }

    @Test
    void shouldPutEvenASmallFileIntoABlockWhereItIsAsked() throws Exception {
        FileWriter writer = writer();
        write(writer, bytes(10), 10);
        writer.completeInBlocks();
        assertThat(fixture.content()).isEqualTo(bytes(10));
        assertThat(fixture.isComplete).isTrue();
        assertFails(ErrorCode.INVALID_ARGUMENT, writer::completeInBlocks);
    }

    // Failures of datanodes

    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {"CONNECTION_LOST", "TIMED_OUT", "OVERLOADED", "NOT_FOUND", "TOKEN_EXPIRED", "BLOCK_CORRUPT"})
    void shouldWriteABlockAgainWhoseDatanodeIsLost(ErrorCode code) throws Exception {
        failsOnce(WriteChunk.class, code);
        FileWriter writer = writer();
        byte[] content = bytes(2 * BLOCK + 5);
        write(writer, content, 300_000);
        writer.complete();
        assertThat(fixture.content()).isEqualTo(content);
        assertThat(fixture.asked(AddBlock.class)).extracting(AddBlock::index).containsExactly(0, 0, 1, 2);
    }

    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {"CONNECTION_LOST", "ALREADY_EXISTS", "STORE_CONFLICT", "UNAVAILABLE"})
    void shouldWriteABlockAgainThatCouldNotBeFinished(ErrorCode code) throws Exception {
        FileWriter writer = writer();
        byte[] content = bytes(BLOCK + 5);
        failsOnce(FinishForReceipt.class, code);
        write(writer, content, 100_000);
        writer.complete();
        assertThat(fixture.content()).isEqualTo(content);
        assertThat(fixture.asked(AddBlock.class)).extracting(AddBlock::index).containsExactly(0, 0, 1);
    }

    @Test
    void shouldNameTheFileWhereItsBlockIsRefused() throws Exception {
        fixture.datanodes.hook =
                (line, message) -> message instanceof FinishForReceipt ? failed(ErrorCode.PERMISSION_DENIED) : null;
        FileWriter writer = writer();
        write(writer, bytes(10), 10);
        assertThatThrownBy(writer::sync)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PERMISSION_DENIED))
                .hasMessageContaining("\"/d/f\"");
        assertThat(fixture.asked(AddBlock.class)).hasSize(1);
    }

    @Test
    void shouldTryAgainUntilItsDeadline() throws Exception {
        long begin = fixture.scheduler.nanoTime();
        fixture.datanodes.hook = (line, message) -> failed(ErrorCode.NOT_READY);
        FileWriter writer = writer();
        write(writer, bytes(10), 10);
        assertFails(ErrorCode.DEADLINE_EXCEEDED, writer::sync);
        Duration tried = Duration.ofNanos(fixture.scheduler.nanoTime() - begin);
        Duration deadline = ClientFixture.TIMES.deadline();
        assertThat(tried).isBetween(deadline.minusSeconds(2), deadline);
    }

    // The writer lease

    @Test
    void shouldRenewItsLeaseUntilItIsComplete() throws Exception {
        FileWriter writer = writer();
        fixture.scheduler.advance(RENEWAL);
        write(writer, bytes(10), 10);
        writer.sync();
        fixture.scheduler.advance(RENEWAL.minusNanos(1));
        assertThat(fixture.asked(BlockOperation.RenewLease.class)).isEmpty();
        fixture.scheduler.advance(1);
        fixture.scheduler.advance(RENEWAL);
        assertThat(fixture.asked(BlockOperation.RenewLease.class))
                .hasSize(2)
                .containsOnly(new BlockOperation.RenewLease(PATH, FILE, GENERATION));
        writer.complete();
        fixture.scheduler.advance(RENEWAL.multipliedBy(3));
        assertThat(fixture.asked(BlockOperation.RenewLease.class)).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {"STALE_GENERATION", "NOT_FOUND"})
    void shouldAddNothingOnceItsLeaseIsAnothers(ErrorCode code) throws Exception {
        FileWriter writer = writer();
        write(writer, bytes(10), 10);
        writer.sync();
        refuses(BlockOperation.RenewLease.class, code);
        fixture.scheduler.advance(RENEWAL.multipliedBy(3));
        assertThat(fixture.asked(BlockOperation.RenewLease.class)).hasSize(1);
        assertFails(code, () -> write(writer, bytes(1), 1));
        assertFails(code, writer::sync);
        assertFails(code, writer::complete);
    }

    @Test
    void shouldGoOnRenewingWhereOneRenewalFails() throws Exception {
        FileWriter writer = writer();
        write(writer, bytes(10), 10);
        writer.sync();
        refuses(BlockOperation.RenewLease.class, ErrorCode.PERMISSION_DENIED);
        fixture.scheduler.advance(RENEWAL.multipliedBy(2));
        assertThat(fixture.asked(BlockOperation.RenewLease.class)).hasSize(2);
        writer.complete();
    }

    // Giving up

    @Test
    void shouldRemoveANewFileThatIsGivenUp() throws Exception {
        FileWriter writer = writer();
        write(writer, bytes(BLOCK + 1), 100_000);
        writer.abandon();
        writer.abandon();
        assertThat(fixture.asked(BlockOperation.Abandon.class))
                .containsExactly(new BlockOperation.Abandon(PATH, FILE, GENERATION));
        assertThat(fixture.isComplete).isFalse();
        assertFails(ErrorCode.INVALID_ARGUMENT, () -> write(writer, bytes(1), 1));
        assertFails(ErrorCode.INVALID_ARGUMENT, writer::sync);
        assertFails(ErrorCode.INVALID_ARGUMENT, writer::complete);
        int before = fixture.asked.size();
        fixture.scheduler.advance(RENEWAL.multipliedBy(2));
        assertThat(fixture.asked).hasSize(before);
    }

    @Test
    void shouldCloseTheConnectionOfABlockThatIsGivenUp() throws Exception {
        FileWriter writer = writer();
        write(writer, bytes(BLOCK - 1), 100_000);
        writer.abandon();
        assertThat(fixture.datanodes.lines).isNotEmpty().noneMatch(line -> line.isOpen());
    }

    @Test
    void shouldKeepWhatHasBeenSyncedWhenItIsGivenUp() throws Exception {
        FileWriter writer = writer();
        write(writer, bytes(10), 10);
        writer.sync();
        write(writer, bytes(20), 20);
        writer.abandon();
        assertThat(fixture.asked(BlockOperation.Abandon.class)).isEmpty();
        assertThat(fixture.asked(CompleteBlocks.class))
                .containsExactly(new CompleteBlocks(PATH, FILE, GENERATION, 1, null));
        assertThat(fixture.content()).isEqualTo(bytes(10));
    }

    @Test
    void shouldNotTouchACompleteFile() throws Exception {
        FileWriter writer = writer();
        write(writer, bytes(10), 10);
        writer.complete();
        int before = fixture.asked.size();
        writer.abandon();
        assertThat(fixture.asked).hasSize(before);
        assertFails(ErrorCode.INVALID_ARGUMENT, writer::complete);
    }

    @Test
    void shouldGiveUpAFileThatIsGone() throws Exception {
        for (ErrorCode gone : List.of(ErrorCode.NOT_FOUND, ErrorCode.STALE_GENERATION)) {
            refuses(BlockOperation.Abandon.class, gone);
            writer().abandon();
        }
        refuses(BlockOperation.Abandon.class, ErrorCode.NOT_ALLOWED);
        assertFails(ErrorCode.NOT_ALLOWED, writer()::abandon);
    }

    @Test
    void shouldCloseANewFileThatItMayNotRemoveAnyMore() throws Exception {
        refuses(BlockOperation.Abandon.class, ErrorCode.PERMISSION_DENIED);
        byte[] content = bytes(BLOCK + 1);
        FileWriter writer = writer();
        write(writer, content, 100_000);
        writer.abandon();
        assertThat(fixture.isComplete).isTrue();
        assertThat(fixture.content()).isEqualTo(Arrays.copyOf(content, BLOCK));
        writer.abandon();
        assertThat(fixture.asked(CompleteBlocks.class)).hasSize(1);
    }

    @Test
    void shouldLeaveAnEmptyFileThatItMayNotRemoveAnyMore() throws Exception {
        refuses(BlockOperation.Abandon.class, ErrorCode.PERMISSION_DENIED);
        writer().abandon();
        assertThat(fixture.asked(CompleteBlocks.class)).isEmpty();
    }

    // Appending

    @Test
    void shouldWriteWhatIsKeptWithTheMetadataAndWhatIsAppendedIntoOneBlock() throws Exception {
        byte[] content = bytes(10_015);
        FileWriter writer = appender(8, 0, 10_000, Arrays.copyOf(content, 10_000));
        assertThat(writer.startLength()).isEqualTo(10_000);
        writer.write(ByteBuffer.wrap(content, 10_000, 15));
        writer.complete();
        assertThat(fixture.content()).isEqualTo(content);
        assertThat(fixture.asked(AddBlock.class)).containsExactly(new AddBlock(PATH, FILE, 8, 0, null));
        assertThat(fixture.asked(CompleteBlocks.class))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(completed(8, 1, fixture.blocks.get(0)));
    }

    @Test
    void shouldLeaveAFileAsItIsToWhichNothingIsAppended() throws Exception {
        FileWriter writer = appender(8, 0, 10, bytes(10));
        writer.sync();
        assertThat(fixture.asked).hasSize(1);
        writer.complete();
        assertThat(fixture.asked.get(1)).isEqualTo(new CompleteBlocks(PATH, FILE, 8, 0, null));
        assertThat(fixture.asked).hasSize(2);
    }

    @Test
    void shouldAppendAfterTheBlocksThatThereAre() throws Exception {
        FileWriter writer = appender(8, 2, 2_000, null);
        assertThat(writer.startLength()).isEqualTo(2_000);
        write(writer, bytes(5), 5);
        writer.complete();
        assertThat(fixture.asked(AddBlock.class)).containsExactly(new AddBlock(PATH, FILE, 8, 2, null));
        assertThat(fixture.asked(CompleteBlocks.class))
                .extracting(CompleteBlocks::blocks)
                .containsExactly(3);
        assertThat(fixture.datanodes.blocks.values()).containsExactly(bytes(5));
    }

    @Test
    void shouldAppendToAnEmptyFileAsToANewOne() throws Exception {
        FileWriter writer = appender(0, 0, 0, null);
        write(writer, bytes(5), 5);
        fixture.scheduler.advance(RENEWAL);
        writer.complete();
        assertThat(fixture.inline).isEqualTo(bytes(5));
        assertThat(fixture.asked(BlockOperation.RenewLease.class)).isEmpty();
    }

    @Test
    void shouldGiveAnEmptyFileItsContentUnderTheLeaseThatWasTaken() throws Exception {
        FileWriter writer = appender(8, 0, 0, null);
        write(writer, bytes(5), 5);
        writer.complete();
        assertThat(fixture.asked(FileOperation.Complete.class))
                .extracting(FileOperation.Complete::generation)
                .containsExactly(8L);

        FileWriter nothing = appender(9, 0, 0, null);
        nothing.complete();
        assertThat(fixture.asked(CompleteBlocks.class)).containsExactly(new CompleteBlocks(PATH, FILE, 9, 0, null));
    }

    @Test
    void shouldRenewTheLeaseOfAnAppenderFromTheBeginningAndGiveItBack() throws Exception {
        FileWriter writer = appender(8, 2, 2_000, null);
        fixture.scheduler.advance(RENEWAL);
        assertThat(fixture.asked(BlockOperation.RenewLease.class))
                .containsExactly(new BlockOperation.RenewLease(PATH, FILE, 8));
        writer.abandon();
        assertThat(fixture.asked(CompleteBlocks.class)).containsExactly(new CompleteBlocks(PATH, FILE, 8, 2, null));
    }
}
