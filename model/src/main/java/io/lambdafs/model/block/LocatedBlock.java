package io.lambdafs.model.block;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A block with everything a client needs to write or read it. Immutable.
 *
 * @param block for a truncated block, the part the file shows, with checksum 0
 * @param offset of its first byte in the file
 * @param store name of the block store that holds its object
 * @param key of the object in that store ({@link ObjectKey}); each attempt to upload a block has its own key
 * @param datanodes that serve the store, in the order to try them; empty if none is alive
 * @param token grants its holder access to this block at a datanode for some minutes; not copied
 * @param direct grants its holder direct access to the object for as long; null if datanodes do the I/O
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

    /** A block that datanodes write or read. */
    public LocatedBlock(
            Block block, long offset, String store, String key, List<DatanodeAddress> datanodes, byte[] token) {
        this(block, offset, store, key, datanodes, token, null);
    }

    /** A block whose object the client writes or reads directly. */
    public LocatedBlock(Block block, long offset, String store, String key, DirectAccess direct) {
        this(block, offset, store, key, List.of(), new byte[0], direct);
    }

    /** Omits the token, which is a secret. */
    @Override
    public String toString() {
        return "LocatedBlock[" + block.label() + ", offset=" + offset + ", " + store + "/" + key + ", " + datanodes
                + "]";
    }
}
