package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.namenode.block.BlockPlaces;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.block.Datanode;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/** Tests of files in blocks: a cluster, a datanode that is said to live, and the calls that they have in common. */
abstract class BlockFileCase {
    static final long BLOCK_SIZE = 100;
    static final FsPath PATH = FsPath.of("/d/file");
    static final Principal OTHER = new Principal("u1", List.of("users"));

    final SimulatedCluster cluster = new SimulatedCluster(31, 3);

    @BeforeEach
    void startDatanode() {
        DatanodeAddress address = new DatanodeAddress("d1", "localhost", 9_000);
        put(new Datanode(address, "local", Datanode.State.SERVING, 0, 0, cluster.scheduler.currentTimeMillis()).row());
    }

    void put(Row row) {
        cluster.await(cluster.store.begin(0).commit(List.of(new Mutation.Put(row)), Long.MAX_VALUE));
    }

    Reply create(FsPath path, long blockSize, byte... content) {
        return cluster.call(new FileOperation.Create(path, 0644, false, true, 1, blockSize, content, null));
    }

    static Block written(LocatedBlock block, long length) {
        return new Block(block.block().id(), block.block().generation(), length, 7);
    }

    OpenFile write(FsPath path, long... lengths) {
        OpenFile file = ((Reply.Status) create(path, BLOCK_SIZE)).file();
        Block last = null;
        for (int i = 0; i < lengths.length; i++) {
            Reply added = cluster.call(new BlockOperation.AddBlock(path, file, i == 0 ? 0 : 1, i, last));
            last = written(((Reply.BlockAdded) added).block(), lengths[i]);
        }
        done(new BlockOperation.CompleteBlocks(path, file, 1, lengths.length, last));
        return file;
    }

    void done(Operation<?> operation) {
        assertThat(cluster.call(operation)).isNotInstanceOf(Reply.Failure.class);
    }

    void refused(ErrorCode code, Operation<?> operation) {
        assertThat(codeOf(cluster.call(operation))).as("%s", operation).isEqualTo(code);
    }

    static @Nullable ErrorCode codeOf(Reply reply) {
        return reply instanceof Reply.Failure failure ? failure.code() : null;
    }

    Attributes stat(FsPath path) {
        return ((Reply.Status) cluster.call(new ReadOperation.Stat(path))).attributes();
    }

    Reply.Opened read(FsPath path) {
        return (Reply.Opened) cluster.call(new ReadOperation.Open(path));
    }

    private Stream<Row> invalidRows() {
        return cluster.rows().stream().filter(row -> row.key().table().equals(Schema.INVALID_BLOCKS));
    }

    /** How many objects are to be deleted, some time after just now. */
    long invalid() {
        invalidRows().forEach(row -> assertReadersMayEnd(row, cluster.scheduler.currentTimeMillis()));
        return listed();
    }

    /** How many objects are to be deleted. */
    long listed() {
        return invalidRows().count();
    }

    /** An object that was just removed from a file stays until no token for it can be used. */
    static void assertReadersMayEnd(Row invalid, long nowMillis) {
        assertThat(invalid.int64(0) - nowMillis).isGreaterThan(BlockPlaces.TOKEN_LIFE.toMillis());
    }
}
