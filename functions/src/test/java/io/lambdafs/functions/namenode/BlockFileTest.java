package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.rpc.block.BlockToken;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.block.Datanode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The metadata of a file in blocks, from its first block to the list of objects that nobody needs any more. */
class BlockFileTest {
    private static final long BLOCK_SIZE = 100;
    private static final FsPath PATH = FsPath.of("/d/big");

    private final SimulatedCluster cluster = new SimulatedCluster(12, 3);

    @BeforeEach
    void startDatanode() {
        heartbeat(Datanode.State.SERVING);
    }

    private void heartbeat(Datanode.State state) {
        heartbeat("d1", state);
    }

    private void heartbeat(String id, Datanode.State state) {
        Datanode datanode = new Datanode(
                new DatanodeAddress(id, "localhost", 9_000),
                "local",
                state,
                0,
                0,
                cluster.scheduler.currentTimeMillis());
        cluster.await(cluster.store.begin(0).commit(List.of(new Mutation.Put(datanode.row())), Long.MAX_VALUE));
    }

    private OpenFile open(FsPath path, boolean overwrite) {
        FileOperation.Create create =
                new FileOperation.Create(path, 0644, overwrite, true, 1, BLOCK_SIZE, new byte[0], null);
        return ((Reply.Status) cluster.call(create)).file();
    }

    private static @Nullable ErrorCode codeOf(Reply reply) {
        return reply instanceof Reply.Failure failure ? failure.code() : null;
    }

    private LocatedBlock add(OpenFile file, long generation, int index, @Nullable Block previous) {
        Reply reply = cluster.call(new BlockOperation.AddBlock(PATH, file, generation, index, previous));
        assertThat(reply).isInstanceOf(Reply.BlockAdded.class);
        return ((Reply.BlockAdded) reply).block();
    }

    private Reply complete(OpenFile file, long generation, int blocks, @Nullable Block last) {
        return cluster.call(new BlockOperation.CompleteBlocks(PATH, file, generation, blocks, last));
    }

    private static Block written(LocatedBlock block, long length) {
        return new Block(block.block().id(), block.block().generation(), length, 7);
    }

    private Attributes stat(FsPath path) {
        return ((Reply.Status) cluster.call(new ReadOperation.Stat(path))).attributes();
    }

    private Reply.Opened read(FsPath path, long offset) {
        Reply reply = cluster.call(new ReadOperation.Open(path, offset));
        assertThat(reply).isInstanceOf(Reply.Opened.class);
        return (Reply.Opened) reply;
    }

    private OpenFile writeThree() {
        OpenFile file = open(PATH, false);
        LocatedBlock first = add(file, 0, 0, null);
        LocatedBlock second = add(file, 1, 1, written(first, 100));
        LocatedBlock third = add(file, 1, 2, written(second, 60));
        assertThat(complete(file, 1, 3, written(third, 40))).isInstanceOf(Reply.Status.class);
        return file;
    }

    private List<String> invalid() {
        List<String> keys = new ArrayList<>();
        for (Row row : cluster.rows()) {
            if (row.key().table().equals(Schema.INVALID_BLOCKS)) {
                BlockFileCase.assertReadersMayEnd(row, cluster.scheduler.currentTimeMillis());
                keys.add(row.key().string(1));
            }
        }
        return keys;
    }

    @Test
    void shouldShowWhatIsCompleteWhileAFileIsWritten() {
        OpenFile file = open(PATH, false);
        LocatedBlock first = add(file, 0, 0, null);
        assertThat(first.offset()).isZero();
        assertThat(first.block().generation()).isEqualTo(1);
        assertThat(first.block().length()).isEqualTo(BLOCK_SIZE);
        assertThat(first.datanodes()).extracting(DatanodeAddress::id).containsExactly("d1");
        BlockToken token = cluster.tokens.verify(first.token(), BlockToken.Mode.WRITE);
        assertThat(token.key()).isEqualTo(first.key());
        assertThat(stat(PATH).size()).isZero();
        assertThat(stat(PATH).content()).isEqualTo(INode.Content.WRITING);

        LocatedBlock second = add(file, 1, 1, written(first, 100));
        assertThat(second.offset()).isEqualTo(100);
        assertThat(stat(PATH).size()).isEqualTo(100);
        assertThat(read(PATH, 0).blocks()).extracting(LocatedBlock::key).containsExactly(first.key());
        assertThat(cluster.inspect().problems()).isEmpty();

        assertThat(complete(file, 1, 2, written(second, 40))).isInstanceOf(Reply.Status.class);
        assertThat(stat(PATH).size()).isEqualTo(140);
        assertThat(stat(PATH).content()).isEqualTo(INode.Content.BLOCKS);
        cluster.wholeStore();
    }

    @Test
    void shouldListTheObjectOfABlockThatTheCompleteFileHasNot() {
        OpenFile file = open(PATH, false);
        LocatedBlock first = add(file, 0, 0, null);
        LocatedBlock given = add(file, 1, 1, written(first, 100));

        assertThat(complete(file, 1, 1, null)).isInstanceOf(Reply.Status.class);

        assertThat(invalid()).containsExactly(given.key());
        cluster.wholeStore();
    }

    @Test
    void shouldLocateBlocksFromAnOffsetOn() {
        writeThree();
        List<LocatedBlock> all = read(PATH, 0).blocks();
        assertThat(all).extracting(LocatedBlock::offset).containsExactly(0L, 100L, 160L);
        assertThat(cluster.tokens
                        .verify(all.get(1).token(), BlockToken.Mode.READ)
                        .block()
                        .length())
                .isEqualTo(60);
        assertThat(read(PATH, 99).blocks()).hasSize(3);
        assertThat(read(PATH, 100).blocks()).extracting(LocatedBlock::offset).containsExactly(100L, 160L);
        assertThat(read(PATH, 199).blocks()).extracting(LocatedBlock::offset).containsExactly(160L);
        assertThat(read(PATH, 200).blocks()).isEmpty();
        heartbeat(Datanode.State.STOPPED);
        cluster.advance(Duration.ofSeconds(2));
        assertThat(read(PATH, 199).blocks().get(0).datanodes()).isEmpty();
    }

    @Test
    void shouldGiveAnotherKeyToAnotherAttempt() {
        OpenFile file = open(PATH, false);
        LocatedBlock lost = add(file, 0, 0, null);
        LocatedBlock again = add(file, 1, 0, null);
        assertThat(again.key()).isNotEqualTo(lost.key());
        assertThat(codeOf(complete(file, 1, 1, written(lost, 50)))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(codeOf(complete(file, 1, 1, null))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(codeOf(complete(file, 1, 1, written(again, 101)))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(codeOf(complete(file, 1, 2, written(again, 50)))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(complete(file, 1, 1, written(again, 50))).isInstanceOf(Reply.Status.class);
        assertThat(invalid()).containsExactly(lost.key());
        cluster.wholeStore();
    }

    @Test
    void shouldSayWhatToDoWhereNoDatanodeLives() {
        OpenFile file = open(PATH, false);
        heartbeat(Datanode.State.STOPPED);
        Reply reply = cluster.call(new BlockOperation.AddBlock(PATH, file, 0, 0, null));
        assertThat(codeOf(reply)).isEqualTo(ErrorCode.NEEDS_DATANODE);
        assertThat(((Reply.Failure) reply).message()).contains("--datanodes");
        assertThat(cluster.call(new BlockOperation.Abandon(PATH, file, 0))).isEqualTo(Reply.Done.YES);
        assertThat(codeOf(cluster.call(new ReadOperation.Stat(PATH)))).isEqualTo(ErrorCode.NOT_FOUND);
        cluster.wholeStore();
    }

    @Test
    void shouldGiveNoBlockToADatanodeThatIsDraining() {
        OpenFile file = open(PATH, false);
        heartbeat("d2", Datanode.State.DRAINING);
        for (int attempt = 0; attempt < 10; attempt++) {
            assertThat(add(file, attempt == 0 ? 0 : 1, 0, null).datanodes())
                    .extracting(DatanodeAddress::id)
                    .containsExactly("d1");
        }
        heartbeat(Datanode.State.DRAINING);
        cluster.advance(Duration.ofSeconds(2));
        heartbeat(Datanode.State.DRAINING);
        assertThat(codeOf(cluster.call(new BlockOperation.AddBlock(PATH, file, 1, 0, null))))
                .isEqualTo(ErrorCode.NEEDS_DATANODE);
    }

    @Test
    void shouldFollowAFileThatIsMovedWhileItIsWritten() {
        OpenFile file = open(PATH, false);
        LocatedBlock first = add(file, 0, 0, null);
        FsPath there = FsPath.of("/e/moved");
        cluster.call(new NamespaceOperation.Mkdirs(FsPath.of("/e"), 0755, true));
        cluster.call(new NamespaceOperation.Rename(PATH, there, RenameMode.STRICT));
        OpenFile other = open(PATH, false);
        LocatedBlock second = add(file, 1, 1, written(first, 100));
        assertThat(complete(file, 1, 2, written(second, 1))).isInstanceOf(Reply.Status.class);
        assertThat(stat(there).size()).isEqualTo(101);
        assertThat(stat(PATH).size()).isZero();
        assertThat(stat(PATH).id()).isEqualTo(other.id());
        cluster.wholeStore();
    }

    @Test
    void shouldRefuseAWriterWhoseFileWasTakenAway() {
        OpenFile frozen = open(PATH, false);
        LocatedBlock block = add(frozen, 0, 0, null);
        OpenFile next = open(PATH, true);
        assertThat(codeOf(complete(frozen, 1, 1, written(block, 10)))).isEqualTo(ErrorCode.NOT_FOUND);
        LocatedBlock mine = add(next, 0, 0, null);
        cluster.call(new NamespaceOperation.Delete(PATH, false));
        assertThat(codeOf(complete(next, 1, 1, written(mine, 10)))).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(codeOf(cluster.call(new BlockOperation.AddBlock(PATH, next, 1, 1, written(mine, 10)))))
                .isEqualTo(ErrorCode.NOT_FOUND);
        cluster.advance(Duration.ofSeconds(20));
        assertThat(invalid()).containsExactlyInAnyOrder(block.key(), mine.key());
        cluster.wholeStore();
    }

    @Test
    void shouldLetTheNextWriterTakeTheLeaseOfASilentOne() {
        OpenFile frozen = open(PATH, false);
        LocatedBlock first = add(frozen, 0, 0, null);
        LocatedBlock second = add(frozen, 1, 1, written(first, 100));
        BlockOperation.TakeLease take = new BlockOperation.TakeLease(PATH, false);
        assertThat(codeOf(cluster.call(take))).isEqualTo(ErrorCode.BEING_WRITTEN);
        cluster.advance(Duration.ofSeconds(50));
        assertThat(cluster.call(new BlockOperation.RenewLease(PATH, frozen, 1))).isEqualTo(Reply.Done.YES);
        cluster.advance(Duration.ofSeconds(50));
        assertThat(codeOf(cluster.call(take))).isEqualTo(ErrorCode.BEING_WRITTEN);
        cluster.advance(Duration.ofSeconds(11));
        Reply.Leased leased = (Reply.Leased) cluster.call(take);
        assertThat(leased.generation()).isEqualTo(2);
        assertThat(leased.attributes().size()).isEqualTo(100);

        assertThat(codeOf(cluster.call(new BlockOperation.RenewLease(PATH, frozen, 1))))
                .isEqualTo(ErrorCode.STALE_GENERATION);
        assertThat(codeOf(complete(frozen, 1, 2, written(second, 50)))).isEqualTo(ErrorCode.STALE_GENERATION);
        heartbeat(Datanode.State.SERVING);
        LocatedBlock mine = add(leased.file(), 2, 1, null);
        assertThat(codeOf(cluster.call(new BlockOperation.AddBlock(PATH, frozen, 1, 2, written(second, 50)))))
                .isEqualTo(ErrorCode.STALE_GENERATION);
        assertThat(complete(leased.file(), 2, 2, written(mine, 5))).isInstanceOf(Reply.Status.class);
        assertThat(codeOf(cluster.call(new BlockOperation.Abandon(PATH, frozen, 1))))
                .isEqualTo(ErrorCode.STALE_GENERATION);
        assertThat(stat(PATH).size()).isEqualTo(105);
        assertThat(invalid()).containsExactly(second.key());
        cluster.wholeStore();
    }

    @Test
    void shouldAppendUnderAGenerationOfItsOwn() {
        OpenFile file = writeThree();
        Reply.Leased leased = (Reply.Leased) cluster.call(new BlockOperation.TakeLease(PATH, false));
        assertThat(leased.file()).isEqualTo(file);
        LocatedBlock fourth = add(leased.file(), 2, 3, null);
        assertThat(fourth.offset()).isEqualTo(200);
        assertThat(complete(leased.file(), 2, 4, written(fourth, 100))).isInstanceOf(Reply.Status.class);
        assertThat(stat(PATH).size()).isEqualTo(300);
        assertThat(read(PATH, 0).blocks()).hasSize(4);
        cluster.wholeStore();
    }

    private Reply.Leased takeSmall() {
        cluster.call(new FileOperation.Create(PATH, 0644, false, true, 1, BLOCK_SIZE, new byte[] {1, 2, 3}, null));
        Reply.Leased leased = (Reply.Leased) cluster.call(new BlockOperation.TakeLease(PATH, false));
        assertThat(leased.head()).containsExactly(1, 2, 3);
        assertThat(leased.blocks()).isZero();
        assertThat(read(PATH, 0).content()).containsExactly(1, 2, 3);
        cluster.wholeStore();
        return leased;
    }

    @Test
    void shouldShowWhatWasKeptUntilTheFirstBlockTakesItIn() {
        Reply.Leased leased = takeSmall();
        LocatedBlock first = add(leased.file(), leased.generation(), 0, null);
        assertThat(first.offset()).isZero();
        assertThat(read(PATH, 0).content()).containsExactly(1, 2, 3);
        assertThat(codeOf(complete(leased.file(), leased.generation(), 1, written(first, 2))))
                .isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(complete(leased.file(), leased.generation(), 1, written(first, 50)))
                .isInstanceOf(Reply.Status.class);
        assertThat(stat(PATH).size()).isEqualTo(50);
        assertThat(read(PATH, 0).blocks()).extracting(LocatedBlock::key).containsExactly(first.key());
        cluster.wholeStore();
    }

    @Test
    void shouldKeepASmallFileWhereItIsWhenNothingIsAdded() {
        Reply.Leased leased = takeSmall();
        LocatedBlock unused = add(leased.file(), leased.generation(), 0, null);
        assertThat(complete(leased.file(), leased.generation(), 0, null)).isInstanceOf(Reply.Status.class);
        assertThat(stat(PATH).content()).isEqualTo(INode.Content.INLINE);
        assertThat(read(PATH, 0).content()).containsExactly(1, 2, 3);
        assertThat(invalid()).containsExactly(unused.key());
        cluster.wholeStore();
    }

    @Test
    void shouldLeaveNothingOfASmallFileThatIsRemovedUnderItsWriter() {
        Reply.Leased leased = takeSmall();
        add(leased.file(), leased.generation(), 0, null);
        cluster.call(new NamespaceOperation.Delete(PATH, false));
        cluster.advance(Duration.ofSeconds(20));
        cluster.wholeStore();
    }

    @Test
    void shouldTakeALeaseByForceAndCountBlocks() {
        OpenFile mine = open(PATH, false);
        LocatedBlock first = add(mine, 0, 0, null);
        add(mine, 1, 1, written(first, 100));
        Reply.Leased leased = (Reply.Leased) cluster.call(new BlockOperation.TakeLease(PATH, true));
        assertThat(leased.blocks()).isEqualTo(1);
        assertThat(codeOf(cluster.call(new BlockOperation.RenewLease(PATH, mine, 1))))
                .isEqualTo(ErrorCode.STALE_GENERATION);
        assertThat(complete(leased.file(), leased.generation(), 1, null)).isInstanceOf(Reply.Status.class);
        assertThat(stat(PATH).size()).isEqualTo(100);
        cluster.wholeStore();
    }

    @Test
    void shouldListTheObjectsOfWhateverIsRemoved() {
        writeThree();
        cluster.call(new NamespaceOperation.Rename(PATH, FsPath.of("/gone"), RenameMode.STRICT));
        writeThree();
        FsPath third = FsPath.of("/e/third");
        cluster.call(new NamespaceOperation.Mkdirs(third.parent(), 0755, true));
        cluster.call(new NamespaceOperation.Rename(PATH, third, RenameMode.STRICT));
        writeThree();
        assertThat(cluster.call(new NamespaceOperation.Delete(FsPath.of("/gone"), false)))
                .isEqualTo(Reply.Done.YES);
        assertThat(cluster.call(new NamespaceOperation.Rename(PATH, third, RenameMode.OVERWRITE)))
                .isEqualTo(Reply.Done.YES);
        cluster.advance(Duration.ofSeconds(20));
        assertThat(invalid()).hasSize(6);
        assertThat(read(third, 0).blocks()).hasSize(3);
        assertThat(cluster.call(new NamespaceOperation.Delete(third.parent(), true)))
                .isEqualTo(Reply.Done.YES);
        cluster.advance(Duration.ofSeconds(20));
        assertThat(invalid()).hasSize(9);
        cluster.wholeStore();
    }
}
