package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.block.StoredBlock;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sizes of blocks and files are bounded, whatever a client asks for or says, and whatever is in the store. */
class BlockLengthsTest extends BlockFileCase {
    private static final FsPath SOURCE = FsPath.of("/d/source");

    @ParameterizedTest
    @ValueSource(longs = {Operation.MAX_BLOCK_BYTES + 1, 1L << 61, Long.MAX_VALUE})
    void shouldRefuseABlockSizeThatNoBlockCanHave(long blockSize) {
        assertThat(codeOf(create(PATH, blockSize))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(codeOf(create(PATH, blockSize, (byte) 1))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }

    @Test
    void shouldTakeTheLargestBlockSize() {
        OpenFile file = ((Reply.Status) create(PATH, Operation.MAX_BLOCK_BYTES)).file();
        assertThat(add(file, 0, 0).block().length()).isEqualTo(Operation.MAX_BLOCK_BYTES);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Operation.MAX_FILE_BYTES + 1, Long.MAX_VALUE, Long.MIN_VALUE})
    void shouldRefuseToImportAFileOfALengthThatNoneCanHave(long size) {
        assertThat(codeOf(imported(size))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Operation.MAX_FILE_BYTES})
    void shouldImportFilesUpToTheLargest(long size) {
        assertThat(codeOf(imported(size))).isNull();
        assertThat(stat(PATH).size()).isEqualTo(size);
    }

    private Reply imported(long size) {
        return cluster.call(
                new FileOperation.Create(PATH, 0644, false, true, 1, 1, null, new FileOperation.Imported(size, 0)));
    }

    /** A store may have a file of a larger block size from before there was a bound. */
    @Test
    void shouldBoundTheBlocksOfAFileWhoseBlockSizeIsLarger() {
        OpenFile file = ((Reply.Status) create(PATH, BLOCK_SIZE)).file();
        change(PATH, was -> of(was, 1L << 61, was.size()));
        LocatedBlock first = add(file, 0, 0);
        assertThat(first.block().length()).isEqualTo(Operation.MAX_BLOCK_BYTES);
        for (long lie : new long[] {Operation.MAX_BLOCK_BYTES + 1, 1L << 61, Long.MAX_VALUE}) {
            refused(ErrorCode.INVALID_ARGUMENT, new BlockOperation.AddBlock(PATH, file, 1, 1, written(first, lie)));
            refused(
                    ErrorCode.INVALID_ARGUMENT,
                    new BlockOperation.CompleteBlocks(PATH, file, 1, 1, written(first, lie)));
        }
        assertThat(stat(PATH).size()).isZero();
    }

    /** And a row of a block under way that may have any length. */
    @Test
    void shouldBoundABlockWhoseRowAllowsMore() {
        OpenFile file = ((Reply.Status) create(PATH, BLOCK_SIZE)).file();
        LocatedBlock first = add(file, 0, 0);
        allow(first, 1L << 61);
        for (Operation<?> lie : List.of(
                new BlockOperation.AddBlock(PATH, file, 1, 1, written(first, 1L << 61)),
                new BlockOperation.CompleteBlocks(PATH, file, 1, 1, written(first, 1L << 61)))) {
            refused(ErrorCode.INVALID_ARGUMENT, lie);
        }
        assertThat(stat(PATH).size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {Operation.MAX_FILE_BYTES - 9, Long.MAX_VALUE - 9, Long.MAX_VALUE})
    void shouldNotLetAFileGrowBeyondTheLargest(long size) {
        OpenFile file = ((Reply.Status) create(PATH, BLOCK_SIZE)).file();
        add(file, 0, 0);
        Block first = written(add(file, 1, 0), 10);
        LocatedBlock second = add(file, 1, 1, first);
        change(PATH, was -> of(was, was.blockSize(), size));
        Block more = written(second, 10);
        refused(ErrorCode.INVALID_ARGUMENT, new BlockOperation.AddBlock(PATH, file, 1, 2, more));
        refused(ErrorCode.INVALID_ARGUMENT, new BlockOperation.CompleteBlocks(PATH, file, 1, 2, more));
        assertThat(stat(PATH).size()).isEqualTo(size);
        done(new BlockOperation.CompleteBlocks(PATH, file, 1, 1, null));
    }

    @ParameterizedTest
    @ValueSource(longs = {Operation.MAX_FILE_BYTES - 9, Long.MAX_VALUE - 9})
    void shouldNotConcatenateToMoreThanTheLargest(long size) {
        write(PATH, 10);
        write(SOURCE, 10);
        change(PATH, was -> of(was, was.blockSize(), size));
        refused(ErrorCode.INVALID_ARGUMENT, new BlockOperation.Concat(PATH, List.of(SOURCE)));
        assertThat(stat(SOURCE).size()).isEqualTo(10);
    }

    private LocatedBlock add(OpenFile file, long generation, int index) {
        return add(file, generation, index, null);
    }

    private LocatedBlock add(OpenFile file, long generation, int index, @Nullable Block previous) {
        Reply added = cluster.call(new BlockOperation.AddBlock(PATH, file, generation, index, previous));
        return ((Reply.BlockAdded) added).block();
    }

    private static INode of(INode was, long blockSize, long size) {
        INode.Traits traits = new INode.Traits(
                was.kind(), was.owner(), was.group(), was.mode(), was.replication(), blockSize, was.content());
        return new INode(was.parentId(), was.name(), was.id(), traits, size, was.mtime(), was.atime(), was.contentId());
    }

    /** Changes a file's row while no instance has it in its cache. */
    private void change(FsPath path, UnaryOperator<INode> change) {
        List.copyOf(cluster.instances).forEach(cluster::leave);
        INode was = cluster.rows().stream()
                .filter(row -> row.key().table().equals(Schema.INODES))
                .map(Rows::inode)
                .filter(node -> node.name().equals(path.name()))
                .findFirst()
                .orElseThrow();
        put(Rows.of(change.apply(was)));
    }

    private void allow(LocatedBlock block, long length) {
        StoredBlock row = cluster.rows().stream()
                .filter(each -> each.key().table().equals(Schema.BLOCKS))
                .map(StoredBlock::of)
                .filter(each -> each.block().equals(block.block()))
                .findFirst()
                .orElseThrow();
        Block allowed = new Block(row.block().id(), row.block().generation(), length, 0);
        put(new StoredBlock(row.inodeId(), row.index(), allowed, row.store(), row.key(), row.state()).row());
    }
}
