package io.lambdafs.door.hdfs.calls;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
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
public final class BlockMap {
    private static final String POOL = "BP-lambdafs";
    /** The generation of blocks that are only read. */
    private static final long GENERATION = 1;

    private static final long DEFAULT_BLOCK_SIZE = 128L << 20;
    private static final int BLOCKS_PER_FILE_BITS = 16;
    private static final int MOST_BLOCKS = 10_000;

    private final BlockSeals seals;
    private final InetSocketAddress data;
    private final OtherDoors others;

    /** @param data the address of the door's data */
    public BlockMap(BlockSeals seals, InetSocketAddress data, OtherDoors others) {
        this.seals = seals;
        this.data = data;
        this.others = others;
    }

    /** Returns the door as the datanode that it looks like. */
    DatanodeInfo door() {
        return node(data, "door-" + data.getPort());
    }

    /** Returns whether other doors go on with what this one has begun. */
    boolean hasOthers() {
        return others.any();
    }

    private static DatanodeInfo node(InetSocketAddress address, String id) {
        String host = address.getAddress().getHostAddress();
        return new DatanodeInfoBuilder()
                .setNodeID(new DatanodeID(host, host, id, address.getPort(), 0, 0, 0))
                .setCapacity(Long.MAX_VALUE)
                .setRemaining(Long.MAX_VALUE)
                .build();
    }

    /** Returns the ways to a block: this door, and the others. */
    private List<DatanodeInfo> readers() {
        List<DatanodeInfo> nodes = new ArrayList<>(List.of(door()));
        others.addresses().forEach(each -> nodes.add(node(each, "door-" + each.getPort())));
        return nodes;
    }

    /** Returns the ways to a block that is written: this door, again for a client that has lost its connection, and the others. */
    private List<DatanodeInfo> writers() {
        List<DatanodeInfo> nodes = readers();
        nodes.add(1, node(data, "door-" + data.getPort() + "-again"));
        return nodes;
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
        return located(
                new BlockSeals.Sealed(false, user, path.toString(), file.id(), id, at, length),
                new ExtendedBlock(POOL, id, length, GENERATION),
                readers());
    }

    /**
     * Returns a block to be written.
     *
     * @param number of the block among those of its open file
     * @param excluded ways that the client has given up
     */
    LocatedBlock write(WrittenFile file, long number, long at, Set<String> excluded) throws IOException {
        long id = id(file.id(), number);
        List<DatanodeInfo> nodes = writers().stream()
                .filter(each -> !excluded.contains(each.getDatanodeUuid()))
                .toList();
        if (nodes.isEmpty()) {
            throw new IOException(file.path() + ": the client excludes every door");
        }
        String path = file.path().toString();
        return located(
                new BlockSeals.Sealed(true, file.user(), path, file.id(), id, at, file.blockSize()),
                new ExtendedBlock(new BlockPlace(file.id(), at, path).pool(POOL), id, 0, file.stamp()),
                nodes);
    }

    private LocatedBlock located(BlockSeals.Sealed what, ExtendedBlock name, List<DatanodeInfo> nodes) {
        DatanodeInfoWithStorage[] places = nodes.stream()
                .map(each -> new DatanodeInfoWithStorage(each, each.getDatanodeUuid(), StorageType.DISK))
                .toArray(DatanodeInfoWithStorage[]::new);
        String[] storages = nodes.stream().map(DatanodeInfo::getDatanodeUuid).toArray(String[]::new);
        StorageType[] types = new StorageType[storages.length];
        Arrays.fill(types, StorageType.DISK);
        LocatedBlock block = new LocatedBlock(name, places, storages, types, what.offset(), false, null);
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

    /** Returns the number of a block among those of its open file. */
    static long number(long block) {
        return block & ((1 << BLOCKS_PER_FILE_BITS) - 1);
    }
}
