package io.lambdafs.door.hdfs;

import io.lambdafs.model.Attributes;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.INode;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/**
 * The blocks that clients see: a file cut at multiples of its block size, all at this door, whatever its blocks in λFS
 * are. Immutable.
 */
final class BlockMap {
    static final String POOL = "BP-lambdafs";
    /** Clients never see a second generation of a block. */
    private static final long GENERATION = 1;

    private static final long DEFAULT_BLOCK_SIZE = 128L << 20;
    private static final int BLOCKS_PER_FILE_BITS = 16;
    private static final int MOST_BLOCKS = 10_000;

    private final BlockSeals seals;
    private final DatanodeInfo door;

    /** @param data the address of the door's data */
    BlockMap(BlockSeals seals, InetSocketAddress data) {
        this.seals = seals;
        String host = data.getAddress().getHostAddress();
        this.door = new DatanodeInfoBuilder()
                .setNodeID(new DatanodeID(host, host, "door-" + data.getPort(), data.getPort(), 0, 0, 0))
                .setCapacity(Long.MAX_VALUE)
                .setRemaining(Long.MAX_VALUE)
                .build();
    }

    /** Returns the door in the guise of a datanode. */
    DatanodeInfo door() {
        return door;
    }

    /** Returns the blocks that a range of a file touches, and the last one. */
    LocatedBlocks of(Attributes file, FsPath path, String user, long offset, long length) {
        long size = blockSize(file);
        long from = Math.max(0, offset);
        long end = Math.min(file.size(), length > file.size() - from ? file.size() : from + length);
        List<LocatedBlock> blocks = new ArrayList<>();
        for (long at = from - from % size; at < end && blocks.size() < MOST_BLOCKS; at += size) {
            blocks.add(read(file, path, user, at));
        }
        LocatedBlock last = file.size() == 0 ? null : read(file, path, user, (file.size() - 1) / size * size);
        boolean writing = file.content() == INode.Content.WRITING;
        return new LocatedBlocks(file.size(), writing, blocks, last, true, null, null);
    }

    private LocatedBlock read(Attributes file, FsPath path, String user, long at) {
        long length = Math.min(blockSize(file), file.size() - at);
        long id = id(file.id(), at / blockSize(file));
        return located(new BlockSeals.Sealed(false, user, path.toString(), file.id(), id, at, length), length);
    }

    /**
     * Returns a block to be written.
     *
     * @param number of the block among those of its open file
     */
    LocatedBlock write(WrittenFile file, long number, long at) {
        long id = id(file.id(), number);
        return located(
                new BlockSeals.Sealed(true, file.user(), file.path().toString(), file.id(), id, at, file.blockSize()),
                0);
    }

    private LocatedBlock located(BlockSeals.Sealed what, long length) {
        String storage = "door";
        LocatedBlock block = new LocatedBlock(
                new ExtendedBlock(POOL, what.block(), length, GENERATION),
                new DatanodeInfoWithStorage[] {new DatanodeInfoWithStorage(door, storage, StorageType.DISK)},
                new String[] {storage},
                new StorageType[] {StorageType.DISK},
                what.offset(),
                false,
                null);
        block.setBlockToken(seals.seal(what));
        return block;
    }

    static long blockSize(Attributes file) {
        return file.blockSize() > 0 ? file.blockSize() : DEFAULT_BLOCK_SIZE;
    }

    /** Negative ids are HDFS's striped blocks. */
    private static long id(long file, long number) {
        return ((file << BLOCKS_PER_FILE_BITS) + number) & Long.MAX_VALUE;
    }
}
