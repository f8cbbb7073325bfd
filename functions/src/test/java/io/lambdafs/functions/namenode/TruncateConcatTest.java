package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.namenode.write.TruncateWrite;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.rpc.block.BlockToken;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.block.StoredBlock;
import io.lambdafs.store.format.FormatLevel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Files that are cut, and files that become the end of another one: blocks change hands, and no byte is written. */
class TruncateConcatTest extends BlockFileCase {
    private static BlockOperation.Truncate truncate(long length) {
        return new BlockOperation.Truncate(PATH, length);
    }

    private static BlockOperation.Concat concat(FsPath... sources) {
        return new BlockOperation.Concat(PATH, List.of(sources));
    }

    @Test
    void shouldShowLessOfTheBlockThatIsCutAndDropTheNext() {
        OpenFile file = write(PATH, 100, 60, 40);
        done(truncate(130));
        List<LocatedBlock> blocks = read(PATH).blocks();
        assertThat(blocks).extracting(block -> block.block().length()).containsExactly(100L, 30L);
        assertThat(cluster.tokens
                        .verify(blocks.get(1).token(), BlockToken.Mode.READ)
                        .block()
                        .length())
                .isEqualTo(60);
        assertThat(stat(PATH).size()).isEqualTo(130);
        assertThat(invalid()).isEqualTo(1);
        refused(ErrorCode.STALE_GENERATION, new BlockOperation.RenewLease(PATH, file, 1));

        done(truncate(120));
        done(truncate(100));
        assertThat(read(PATH).blocks()).hasSize(1);
        done(truncate(0));
        assertThat(read(PATH).blocks()).isEmpty();
        assertThat(invalid()).isEqualTo(3);
        cluster.wholeStore();
    }

    @Test
    void shouldAppendBehindTheCut() {
        write(PATH, 100, 60);
        done(truncate(130));
        Reply.Leased leased = (Reply.Leased) cluster.call(new BlockOperation.TakeLease(PATH, false));
        assertThat(leased.blocks()).isEqualTo(2);
        LocatedBlock third = ((Reply.BlockAdded)
                        cluster.call(new BlockOperation.AddBlock(PATH, leased.file(), leased.generation(), 2, null)))
                .block();
        assertThat(third.offset()).isEqualTo(130);
        refused(ErrorCode.BEING_WRITTEN, truncate(5));
        done(new BlockOperation.CompleteBlocks(PATH, leased.file(), leased.generation(), 3, written(third, 8)));
        assertThat(read(PATH).blocks()).extracting(LocatedBlock::offset).containsExactly(0L, 100L, 130L);
        assertThat(stat(PATH).size()).isEqualTo(138);
        cluster.wholeStore();
    }

    @Test
    void shouldCutWhatIsKeptWithTheMetadata() {
        create(PATH, BLOCK_SIZE, (byte) 1, (byte) 2, (byte) 3);
        done(truncate(2));
        assertThat(read(PATH).content()).containsExactly(1, 2);
        assertThat(read(PATH).content()).containsExactly(1, 2);
        Reply.Leased leased = (Reply.Leased) cluster.call(new BlockOperation.TakeLease(PATH, false));
        assertThat(leased.head()).containsExactly(1, 2);
        assertThat(read(PATH).content()).containsExactly(1, 2);
        done(new BlockOperation.CompleteBlocks(PATH, leased.file(), leased.generation(), 0, null));
        assertThat(read(PATH).content()).containsExactly(1, 2);
        done(truncate(0));
        assertThat(read(PATH).blocks()).isEmpty();
        refused(ErrorCode.NOT_UNDER_CONSTRUCTION, new FileOperation.Complete(PATH, leased.file(), new byte[] {9}));
        assertThat(stat(PATH).size()).isZero();
        cluster.wholeStore();
    }

    @Test
    void shouldRefuseWhatHdfsRefusesToTruncate() {
        write(PATH, 100);
        done(truncate(100));
        refused(ErrorCode.INVALID_ARGUMENT, truncate(101));
        refused(ErrorCode.NOT_FOUND, new BlockOperation.Truncate(FsPath.of("/d/none"), 0));
        refused(ErrorCode.IS_A_DIRECTORY, new BlockOperation.Truncate(FsPath.of("/d"), 0));
        assertThat(codeOf(cluster.owner(truncate(0)).call(OTHER, truncate(0)))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        put(FormatLevel.BLOCKS.row());
        refused(ErrorCode.UNSUPPORTED, truncate(1));
        assertThat(stat(PATH).size()).isEqualTo(100);
    }

    /** A file of very many blocks is cut step by step, and no step looks at more than it cuts. */
    @Test
    void shouldLookAtNoMoreBlocksThanItCuts() {
        int blocks = 3 * TruncateWrite.MOST_BLOCKS;
        write(PATH, 100);
        INode file = inode();
        List<Mutation> rows = new ArrayList<>();
        for (int i = 1; i < blocks; i++) {
            Block block = new Block(1_000_000 + i, 1, 100, 7);
            rows.add(new Mutation.Put(
                    new StoredBlock(file.id(), i, block, "local", "k" + i, StoredBlock.State.WRITTEN).row()));
        }
        rows.add(new Mutation.Put(
                Rows.of(file.withContent(INode.Content.BLOCKS, file.contentId(), 100L * blocks, file.mtime()))));
        cluster.await(cluster.engine.begin(0).commit(rows, Long.MAX_VALUE));
        List.copyOf(cluster.instances).forEach(cluster::leave);

        long before = cluster.store.scanned;
        refused(ErrorCode.NOT_ALLOWED, truncate(100));
        assertThat(cluster.store.scanned - before).isLessThan(2 * TruncateWrite.MOST_BLOCKS);
        done(truncate(100L * (blocks - TruncateWrite.MOST_BLOCKS)));
        assertThat(invalid()).isEqualTo(TruncateWrite.MOST_BLOCKS);
    }

    @Test
    void shouldMoveTheBlocksOfFilesToTheEndOfAnother() {
        FsPath a = FsPath.of("/d/a");
        FsPath b = FsPath.of("/d/b");
        write(PATH, 100, 60);
        OpenFile first = write(a, 50);
        write(b, 100, 1);
        done(concat(b, a));
        assertThat(read(PATH).blocks()).extracting(LocatedBlock::offset).containsExactly(0L, 100L, 160L, 260L, 261L);
        assertThat(stat(PATH).size()).isEqualTo(311);
        refused(ErrorCode.NOT_FOUND, new ReadOperation.Stat(a));
        refused(ErrorCode.NOT_FOUND, new BlockOperation.RenewLease(a, first, 1));
        assertThat(invalid()).isZero();
        cluster.wholeStore();
        done(new NamespaceOperation.Delete(PATH, false));
        cluster.advance(Duration.ofSeconds(20));
        assertThat(invalid()).isEqualTo(5);
        cluster.wholeStore();
    }

    @Test
    void shouldMoveBlocksToAnEmptyFileWhoseMakerThenAddsNothing() {
        FsPath a = FsPath.of("/d/a");
        OpenFile file = ((Reply.Status) create(PATH, BLOCK_SIZE)).file();
        write(a, 50);
        done(concat(a));
        refused(ErrorCode.NOT_UNDER_CONSTRUCTION, new FileOperation.Complete(PATH, file, new byte[] {9}));
        refused(ErrorCode.NOT_UNDER_CONSTRUCTION, new BlockOperation.AddBlock(PATH, file, 0, 0, null));
        assertThat(stat(PATH).content()).isEqualTo(INode.Content.BLOCKS);
        assertThat(stat(PATH).size()).isEqualTo(50);
        cluster.wholeStore();
    }

    @Test
    void shouldRefuseWhatHdfsRefusesToConcatenate() {
        FsPath a = FsPath.of("/d/a");
        write(PATH, 100);
        refused(ErrorCode.NOT_FOUND, concat(a));
        create(a, BLOCK_SIZE);
        refused(ErrorCode.INVALID_ARGUMENT, concat(a));
        FsPath larger = FsPath.of("/d/larger");
        create(larger, 2 * BLOCK_SIZE, (byte) 1);
        refused(ErrorCode.INVALID_ARGUMENT, concat(larger));
        FsPath small = FsPath.of("/d/small");
        create(small, BLOCK_SIZE, (byte) 1);
        refused(ErrorCode.NEEDS_DATANODE, concat(small));
        FsPath open = FsPath.of("/d/open");
        OpenFile file = ((Reply.Status) create(open, BLOCK_SIZE)).file();
        cluster.call(new BlockOperation.AddBlock(open, file, 0, 0, null));
        refused(ErrorCode.BEING_WRITTEN, concat(open));
        FsPath directory = FsPath.of("/d/directory");
        done(new NamespaceOperation.Mkdirs(directory, 0755, true));
        refused(ErrorCode.IS_A_DIRECTORY, concat(directory));

        refused(ErrorCode.IS_A_DIRECTORY, new BlockOperation.Concat(FsPath.ROOT, List.of(PATH)));

        FsPath good = FsPath.of("/d/good");
        write(good, 10);
        refused(ErrorCode.INVALID_ARGUMENT, concat(PATH));
        refused(ErrorCode.INVALID_ARGUMENT, concat(good, good));
        refused(ErrorCode.INVALID_ARGUMENT, concat(good, FsPath.of("/e")));
        done(new AttributeOperation.SetPermission(PATH, 0666));
        assertThat(codeOf(cluster.owner(concat(good)).call(OTHER, concat(good))))
                .isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(stat(PATH).size()).isEqualTo(100);
        assertThat(stat(good).size()).isEqualTo(10);
    }

    /** Whoever may write the directory may concatenate the files of others in it, unless it is sticky. */
    @Test
    void shouldTakeFilesOutOfAStickyDirectoryForTheirOwnersAlone() {
        FsPath source = FsPath.of("/d/source");
        write(PATH, 100);
        write(source, 10);
        done(new AttributeOperation.SetPermission(PATH, 0666));
        done(new AttributeOperation.SetPermission(source, 0666));
        done(new AttributeOperation.SetPermission(PATH.parent(), 01777));
        assertThat(codeOf(cluster.owner(concat(source)).call(OTHER, concat(source))))
                .isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(stat(source).size()).isEqualTo(10);
        done(new AttributeOperation.SetOwner(source, OTHER.user(), null));
        assertThat(codeOf(cluster.owner(concat(source)).call(OTHER, concat(source))))
                .isNull();
        assertThat(stat(PATH).size()).isEqualTo(110);
    }

    @Test
    void shouldLeaveNoAttributesOfTheFilesThatAreGone() {
        FsPath source = FsPath.of("/d/source");
        write(PATH, 100);
        write(source, 10);
        done(new AttributeOperation.SetXattr(PATH, "user.kept", new byte[] {1}, true, true));
        done(new AttributeOperation.SetXattr(source, "user.gone", new byte[] {2}, true, true));
        done(concat(source));
        assertThat(((Reply.Xattrs) cluster.call(new ReadOperation.GetXattrs(PATH, true))).values())
                .containsOnlyKeys("user.kept");
        cluster.wholeStore();
    }

    private INode inode() {
        return cluster.rows().stream()
                .filter(row -> row.key().table().equals(Schema.INODES))
                .map(Rows::inode)
                .filter(node -> node.name().equals(PATH.name()))
                .findFirst()
                .orElseThrow();
    }

    private long contentId() {
        return inode().contentId();
    }

    /** A changed content has a new id, so whoever read or wrote the old one notices. */
    @Test
    void shouldGiveEachChangeOfTheContentAnIdOfItsOwn() {
        FsPath source = FsPath.of("/d/source");
        write(PATH, 100, 60);
        write(source, 10);
        long before = contentId();
        done(truncate(130));
        assertThat(contentId()).as("cut").isGreaterThan(before);
        before = contentId();
        done(concat(source));
        assertThat(contentId()).as("longer").isGreaterThan(before);
        before = contentId();
        done(truncate(0));
        assertThat(contentId()).as("empty").isGreaterThan(before);
    }
}
