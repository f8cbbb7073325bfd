package io.lambdafs.model;

import java.util.List;

/**
 * A block with all that a client needs to write or read it. Immutable.
 *
 * @param block of one that was cut, as much as the file shows of it, and 0 for its checksum
 * @param offset of its first byte in the file
 * @param store name of the block store that has its object
 * @param key of the object in that store ({@link ObjectKey}); each attempt to upload a block has a key of its own
 * @param datanodes that serve the store, the one to try first in front; empty where none lives
 * @param token lets its holder write or read this block for some minutes; not copied
 */
@SuppressWarnings("ArrayRecordComponent")
public record LocatedBlock(
        Block block, long offset, String store, String key, List<DatanodeAddress> datanodes, byte[] token) {
    public LocatedBlock {
        if (offset < 0) {
            throw new IllegalArgumentException("a block at offset " + offset);
        }
        datanodes = List.copyOf(datanodes);
    }

    /** Without the token, which is a secret. */
    @Override
    public String toString() {
        return "LocatedBlock[" + block.label() + ", offset=" + offset + ", " + store + "/" + key + ", " + datanodes
                + "]";
    }
}
