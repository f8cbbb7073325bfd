package io.lambdafs.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A block with all that a client needs to write or read it. Immutable.
 *
 * @param block of one that was cut, as much as the file shows of it, and 0 for its checksum
 * @param offset of its first byte in the file
 * @param store name of the block store that has its object
 * @param key of the object in that store ({@link ObjectKey}); each attempt to upload a block has a key of its own
 * @param datanodes that serve the store, the one to try first in front; empty where none lives
 * @param token lets its holder write or read this block at a datanode for some minutes; not copied
 * @param direct lets its holder write or read the object itself, for as long; null where datanodes do that
 */
@SuppressWarnings("ArrayRecordComponent")
public record LocatedBlock(
        Block block,
        long offset,
        String store,
        String key,
        List<DatanodeAddress> datanodes,
        byte[] token,
        @Nullable DirectAccess direct) {
    // Written out, not compact: javac 17 loses type annotations of a compact constructor's parameters in the class
    // file.
    public LocatedBlock(
            Block block,
            long offset,
            String store,
            String key,
            List<DatanodeAddress> datanodes,
            byte[] token,
            @Nullable DirectAccess direct) {
        if (offset < 0) {
            throw new IllegalArgumentException("a block at offset " + offset);
        }
        this.block = block;
        this.offset = offset;
        this.store = store;
        this.key = key;
        this.datanodes = List.copyOf(datanodes);
        this.token = token;
        this.direct = direct;
    }

    /** One that datanodes write or read. */
    public LocatedBlock(
            Block block, long offset, String store, String key, List<DatanodeAddress> datanodes, byte[] token) {
        this(block, offset, store, key, datanodes, token, null);
    }

    /** One whose object its holder writes or reads itself. */
    public LocatedBlock(Block block, long offset, String store, String key, DirectAccess direct) {
        this(block, offset, store, key, List.of(), new byte[0], direct);
    }

    /** Without the token, which is a secret. */
    @Override
    public String toString() {
        return "LocatedBlock[" + block.label() + ", offset=" + offset + ", " + store + "/" + key + ", " + datanodes
                + "]";
    }
}
