package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.housekeeping.LeaseSweeper;
import io.lambdafs.functions.namenode.write.LeaseWrites;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.block.StoredBlock;
import io.lambdafs.store.block.WriterLease;
import io.lambdafs.store.format.FormatLevel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Writers that fall silent, and writers of one file that follow each other. */
class WriterLeaseTest extends BlockFileCase {
    private static final Duration BEFORE_HARD_LIMIT = LeaseWrites.HARD_LIMIT.minusMinutes(1);

    private Reply.Leased take(boolean force) {
        return (Reply.Leased) cluster.call(new BlockOperation.TakeLease(PATH, force));
    }

    private LocatedBlock add(OpenFile file, long generation, int index, Block previous) {
        Reply added = cluster.call(new BlockOperation.AddBlock(PATH, file, generation, index, previous));
        return ((Reply.BlockAdded) added).block();
    }

    private void complete(Reply.Leased leased) {
        done(new BlockOperation.CompleteBlocks(PATH, leased.file(), leased.generation(), leased.blocks(), null));
    }

    @Test
    void shouldNeverGiveTwoWritersOneGeneration() {
        create(PATH, BLOCK_SIZE, (byte) 1, (byte) 2);
        Reply.Leased frozen = take(false);
        complete(take(true));
        assertThat(read(PATH).content()).containsExactly(1, 2);
        Reply.Leased next = take(false);
        assertThat(next.generation()).isGreaterThan(frozen.generation());
        assertThat(next.head()).containsExactly(1, 2);
        refused(
                ErrorCode.STALE_GENERATION,
                new BlockOperation.AddBlock(PATH, frozen.file(), frozen.generation(), 0, null));
        complete(next);
        done(new NamespaceOperation.Delete(PATH, false));
        cluster.wholeStore();
    }

    /** A recovery that was repeated, or sent long ago, comes after the next writer has begun. */
    @Test
    void shouldTakeNoLeaseThatCameAfterTheOneThatItsSuccessorNames() {
        OpenFile file = ((Reply.Status) create(PATH, BLOCK_SIZE)).file();
        LocatedBlock block = add(file, 0, 0, null);
        BlockOperation.TakeLease first = new BlockOperation.TakeLease(PATH, true, file.id(), 1);
        assertThat(((Reply.Leased) cluster.call(first)).generation()).isEqualTo(2);
        refused(ErrorCode.STALE_GENERATION, new BlockOperation.AddBlock(PATH, file, 1, 1, written(block, 7)));
        refused(ErrorCode.STALE_GENERATION, first);
        Reply.Leased newer = take(true);
        assertThat(newer.generation()).isEqualTo(3);
        refused(ErrorCode.STALE_GENERATION, first);
        refused(ErrorCode.STALE_GENERATION, new BlockOperation.TakeLease(PATH, true, file.id(), 2));
        refused(ErrorCode.STALE_GENERATION, new BlockOperation.TakeLease(PATH, true, file.id() + 1, 3));
        complete(newer);
        refused(ErrorCode.STALE_GENERATION, new BlockOperation.TakeLease(PATH, true, file.id(), 3));
        cluster.wholeStore();
    }

    /** Whoever recovers it reads it as empty, and what its maker added later would be lost. */
    @Test
    void shouldTakeAnEmptyFileFromItsMaker() {
        OpenFile file = ((Reply.Status) create(PATH, BLOCK_SIZE)).file();
        long mtime = stat(PATH).mtime();
        Reply.Leased closed = take(true);
        assertThat(closed.generation()).isZero();
        refused(ErrorCode.NOT_UNDER_CONSTRUCTION, new BlockOperation.AddBlock(PATH, file, 0, 0, null));
        refused(ErrorCode.NOT_UNDER_CONSTRUCTION, new FileOperation.Complete(PATH, file, new byte[] {1}));
        refused(ErrorCode.NOT_UNDER_CONSTRUCTION, new BlockOperation.Abandon(PATH, file, 0));
        assertThat(stat(PATH)).extracting(Attributes::size, Attributes::mtime).containsExactly(0L, mtime);
        assertThat(read(PATH).content()).isNull();
        cluster.wholeStore();

        Reply.Leased next = take(false);
        refused(ErrorCode.STALE_GENERATION, new BlockOperation.AddBlock(PATH, file, 1, 0, null));
        LocatedBlock block = add(next.file(), next.generation(), 0, null);
        done(new BlockOperation.CompleteBlocks(PATH, next.file(), next.generation(), 1, written(block, 7)));
        assertThat(stat(PATH).size()).isEqualTo(7);
        cluster.wholeStore();
    }

    /** A file may be moved while it is empty and open. */
    @Test
    void shouldForgetWhereAnEmptyFileThatIsTakenWentMeanwhile() {
        create(PATH, BLOCK_SIZE);
        FsPath moved = PATH.parent().child("moved");
        done(new NamespaceOperation.Rename(PATH, moved, Operation.RenameMode.STRICT));
        cluster.wholeStore();
        cluster.call(new BlockOperation.TakeLease(moved, true));
        cluster.wholeStore();
    }

    @Test
    void shouldGiveNoLeaseOfADirectory() {
        FsPath directory = FsPath.of("/none/such");
        done(new NamespaceOperation.Mkdirs(directory, 0755, true));
        refused(ErrorCode.IS_A_DIRECTORY, new BlockOperation.TakeLease(directory, false));
    }

    @Test
    void shouldLetOneOfTwoAppendersBeginAnEmptyFile() {
        create(PATH, BLOCK_SIZE);
        Reply.Leased first = take(false);
        refused(ErrorCode.BEING_WRITTEN, new BlockOperation.TakeLease(PATH, false));
        add(first.file(), first.generation(), 0, null);
        byte[] content = {1, 2, 3};
        refused(ErrorCode.NOT_UNDER_CONSTRUCTION, new FileOperation.Complete(PATH, first.file(), content));
        refused(
                ErrorCode.STALE_GENERATION,
                new FileOperation.Complete(PATH, first.file(), first.generation() + 1, content));
        done(new FileOperation.Complete(PATH, first.file(), first.generation(), content));
        assertThat(read(PATH).content()).containsExactly(1, 2, 3);
        assertThat(stat(PATH).content()).isEqualTo(INode.Content.INLINE);
        assertThat(invalid()).isEqualTo(1);
        cluster.wholeStore();
        Reply.Leased second = take(false);
        assertThat(second.head()).containsExactly(1, 2, 3);
        assertThat(second.generation()).isGreaterThan(first.generation());
        complete(second);
        cluster.wholeStore();
    }

    /** Its maker has begun a block, and completes it as a small one, without its lease, after all. */
    @Test
    void shouldNotTakeASmallContentOfAFileThatIsWrittenInBlocks() {
        OpenFile file = ((Reply.Status) create(PATH, BLOCK_SIZE)).file();
        LocatedBlock first = add(file, 0, 0, null);
        byte[] content = {1, 2, 3};
        refused(ErrorCode.NOT_UNDER_CONSTRUCTION, new FileOperation.Complete(PATH, file, content));
        add(file, 1, 1, written(first, 100));
        refused(ErrorCode.NOT_UNDER_CONSTRUCTION, new FileOperation.Complete(PATH, file, content));
        refused(ErrorCode.NOT_UNDER_CONSTRUCTION, new FileOperation.Complete(PATH, file, 1, content));
        done(new BlockOperation.CompleteBlocks(PATH, file, 1, 1, null));
        refused(ErrorCode.NOT_UNDER_CONSTRUCTION, new FileOperation.Complete(PATH, file, content));
        assertThat(stat(PATH).size()).isEqualTo(100);
        cluster.wholeStore();
    }

    /** Between the look at its blocks and their locks its writer closes it, cuts it, and appends again. */
    @Test
    void shouldRecoverNoFileWhoseBlocksAreOthersByNow() {
        OpenFile file = ((Reply.Status) create(PATH, BLOCK_SIZE)).file();
        LocatedBlock first = add(file, 0, 0, null);
        LocatedBlock second = add(file, 1, 1, written(first, 100));
        add(file, 1, 2, written(second, 50));
        CompletableFuture<Void> locks =
                cluster.store.holdNextRead(reads -> reads.contains(Read.exclusive(StoredBlock.key(file.id(), 2))));
        BlockOperation.RecoverLease recover = new BlockOperation.RecoverLease(PATH, file);
        CompletableFuture<OperationReply> late =
                cluster.owner(recover).send(SimulatedCluster.ROOT, cluster.nextId(), recover);
        cluster.advance(Duration.ofMillis(1));
        assertThat(late).isNotDone();
        done(new BlockOperation.CompleteBlocks(PATH, file, 1, 2, null));
        done(new BlockOperation.Truncate(PATH, 0));
        Reply.Leased again = take(false);
        LocatedBlock other = add(again.file(), again.generation(), 0, null);
        locks.complete(null);
        cluster.await(late);
        cluster.advance(Duration.ofSeconds(1));

        assertThat(cluster.inspect().problems()).isEmpty();
        done(new BlockOperation.CompleteBlocks(PATH, again.file(), again.generation(), 1, written(other, 7)));
        assertThat(stat(PATH).size()).isEqualTo(7);
        cluster.wholeStore();
    }

    @Test
    void shouldKeepAnEmptyFileWhoseAppenderAddsNothing() {
        create(PATH, BLOCK_SIZE);
        Reply.Leased leased = take(false);
        complete(leased);
        assertThat(stat(PATH).size()).isZero();
        refused(ErrorCode.STALE_GENERATION, new BlockOperation.Abandon(PATH, leased.file(), leased.generation()));
        assertThat(take(false).generation()).isGreaterThan(leased.generation());
    }

    @Test
    void shouldTakeNoLeaseThatTheStoresLevelDoesNotKnow() {
        create(PATH, BLOCK_SIZE);
        put(FormatLevel.BLOCKS.row());
        assertThat(take(false).generation()).isZero();
        done(new FileOperation.Complete(PATH, take(false).file(), new byte[] {1}));
        complete(take(false));
        assertThat(read(PATH).content()).containsExactly(1);
        put(FormatLevel.FIRST.row());
        refused(ErrorCode.NEEDS_DATANODE, new BlockOperation.TakeLease(PATH, false));
        cluster.wholeStore();
    }

    @Test
    void shouldCloseAFileWhoseWriterIsSilentForLongerThanTheHardLimit() {
        OpenFile file = ((Reply.Status) create(PATH, BLOCK_SIZE)).file();
        LocatedBlock first = add(file, 0, 0, null);
        LocatedBlock second = add(file, 1, 1, written(first, 100));
        FsPath moved = FsPath.of("/moved/file");
        done(new NamespaceOperation.Mkdirs(moved.parent(), 0755, true));
        done(new NamespaceOperation.Rename(PATH, moved, RenameMode.STRICT));
        cluster.advance(BEFORE_HARD_LIMIT);
        done(new BlockOperation.RenewLease(PATH, file, 1));
        cluster.advance(BEFORE_HARD_LIMIT);
        assertThat(stat(moved).content()).isEqualTo(INode.Content.WRITING);

        cluster.advance(Duration.ofMinutes(5));
        assertThat(stat(moved).content()).isEqualTo(INode.Content.BLOCKS);
        assertThat(stat(moved).size()).isEqualTo(100);
        assertThat(cluster.rows()).extracting(row -> row.key().table()).doesNotContain(Schema.WRITTEN_FILES);
        refused(ErrorCode.NOT_FOUND, new BlockOperation.RenewLease(PATH, file, 1));
        refused(ErrorCode.STALE_GENERATION, new BlockOperation.RenewLease(moved, file, 1));
        startDatanode();
        refused(ErrorCode.STALE_GENERATION, new BlockOperation.AddBlock(moved, file, 1, 2, written(second, 10)));
        refused(ErrorCode.STALE_GENERATION, new BlockOperation.CompleteBlocks(moved, file, 1, 2, written(second, 10)));
        refused(ErrorCode.STALE_GENERATION, new BlockOperation.Abandon(moved, file, 1));
        assertThat(invalid()).isEqualTo(1);
        assertThat(stat(moved).size()).isEqualTo(100);
        cluster.wholeStore();
    }

    private LeaseSweeper leader(SimulatedCluster.Instance instance, CompletionStage<Void> when) {
        return new LeaseSweeper(
                cluster.store,
                cluster.scheduler,
                instance.nameNode::epoch,
                recover -> when.thenCompose(now -> instance.send(SimulatedCluster.ROOT, cluster.nextId(), recover))
                        .thenApply(OperationReply::reply));
    }

    /** After this an instance's own sweeps are nowhere near the moment when the hard limit passes. */
    private void betweenSweeps() {
        cluster.advance(Duration.ofMinutes(1));
        startDatanode();
    }

    /** A sweep costs a write a file only where a writer is silent. */
    @Test
    void shouldAskNothingOfAFileWhoseWriterIsHeardOf() {
        OpenFile held = ((Reply.Status) create(PATH, BLOCK_SIZE)).file();
        add(held, 0, 0, null);
        List<Operation<?>> asked = new ArrayList<>();
        long epoch = cluster.instances.get(0).nameNode.epoch();
        LeaseSweeper sweeper = new LeaseSweeper(cluster.store, cluster.scheduler, () -> epoch, recover -> {
            asked.add(recover);
            return CompletableFuture.completedFuture(Reply.Done.YES);
        });
        cluster.await(sweeper.run());
        cluster.advance(BEFORE_HARD_LIMIT);
        cluster.await(sweeper.run());
        assertThat(asked).isEmpty();
        cluster.store.begin(0).commit(List.of(new Mutation.Delete(WriterLease.key(held.id()))), Long.MAX_VALUE);
        cluster.await(sweeper.run());
        assertThat(asked).as("of a file whose lease is missing").hasSize(1);
    }

    /** One has found the file's writer silent, and closes the file only after the other has, and somebody else has begun to append. */
    @Test
    void shouldDoNoHarmUnderTwoLeaders() {
        OpenFile file = ((Reply.Status) create(PATH, BLOCK_SIZE)).file();
        betweenSweeps();
        LocatedBlock first = add(file, 0, 0, null);
        add(file, 1, 1, written(first, 100));
        cluster.advance(LeaseWrites.HARD_LIMIT.plusSeconds(2));
        CompletableFuture<Void> late = new CompletableFuture<>();
        CompletableFuture<Void> one = leader(cluster.start(0), late).run().toCompletableFuture();
        cluster.advance(Duration.ofSeconds(1));
        assertThat(one).isNotDone();
        assertThat(stat(PATH).content()).isEqualTo(INode.Content.WRITING);

        cluster.await(leader(cluster.start(1), CompletableFuture.completedFuture(null))
                .run());
        assertThat(stat(PATH).content()).isEqualTo(INode.Content.BLOCKS);
        Reply.Leased appender = take(false);
        startDatanode();
        LocatedBlock added = add(appender.file(), appender.generation(), appender.blocks(), null);
        late.complete(null);
        cluster.await(one);

        assertThat(stat(PATH).content()).isEqualTo(INode.Content.WRITING);
        done(new BlockOperation.CompleteBlocks(
                PATH, appender.file(), appender.generation(), appender.blocks() + 1, written(added, 10)));
        assertThat(stat(PATH).size()).isEqualTo(110);
        assertThat(invalid()).isEqualTo(1);
        cluster.wholeStore();
    }

    private List<INode> inodes() {
        return cluster.rows().stream()
                .filter(row -> row.key().table().equals(Schema.INODES))
                .map(Rows::inode)
                .toList();
    }

    /** Its writer has closed it meanwhile: its content stays the one that others have seen. */
    @Test
    void shouldLeaveAFileAloneThatIsClosedAlready() {
        OpenFile file = write(PATH, 100, 60);
        FsPath small = PATH.parent().child("small");
        OpenFile other = ((Reply.Status) create(small, BLOCK_SIZE, (byte) 1)).file();
        List<INode> before = inodes();
        cluster.advance(LeaseWrites.HARD_LIMIT.plusMinutes(1));
        assertThat(cluster.call(new BlockOperation.RecoverLease(PATH, file))).isEqualTo(Reply.Done.NO);
        assertThat(cluster.call(new BlockOperation.RecoverLease(small, other))).isEqualTo(Reply.Done.NO);
        assertThat(inodes()).isEqualTo(before);
        assertThat(read(small).content()).containsExactly(1);
    }

    @Test
    void shouldCloseAFileOnceWhereTwoLeadersDoAtTheSameTime() {
        done(new NamespaceOperation.Mkdirs(PATH.parent(), 0755, true));
        betweenSweeps();
        for (int i = 0; i < 5; i++) {
            FsPath path = PATH.parent().child("f" + i);
            OpenFile file = ((Reply.Status) create(path, BLOCK_SIZE)).file();
            Reply added = cluster.call(new BlockOperation.AddBlock(path, file, 0, 0, null));
            Block before = written(((Reply.BlockAdded) added).block(), 100);
            assertThat(cluster.call(new BlockOperation.AddBlock(path, file, 1, 1, before)))
                    .isInstanceOf(Reply.BlockAdded.class);
        }
        cluster.advance(LeaseWrites.HARD_LIMIT.plusSeconds(2));
        assertThat(cluster.rows())
                .filteredOn(row -> row.key().table().equals(Schema.WRITTEN_FILES))
                .hasSize(5);
        LeaseSweeper one = leader(cluster.start(0), CompletableFuture.completedFuture(null));
        LeaseSweeper other = leader(cluster.start(1), CompletableFuture.completedFuture(null));
        cluster.setLatency(Duration.ofMillis(5));
        CompletionStage<Void> sweep = one.run();
        cluster.await(other.run());
        cluster.await(sweep);
        cluster.setLatency(Duration.ZERO);

        for (int i = 0; i < 5; i++) {
            assertThat(stat(PATH.parent().child("f" + i)).content()).isEqualTo(INode.Content.BLOCKS);
            assertThat(stat(PATH.parent().child("f" + i)).size()).isEqualTo(100);
        }
        assertThat(invalid()).isEqualTo(5);
        assertThat(cluster.rows()).extracting(row -> row.key().table()).doesNotContain(Schema.WRITTEN_FILES);
        cluster.wholeStore();
    }
}
