package io.lambdafs.rpc.block;

import io.lambdafs.model.block.Block;

/**
 * The permission in a block token: to write or read one block, as one object. Independent of the instance that created
 * it. Immutable.
 *
 * @param block with the generation of the writer lease; for a write, its length is the maximum, and in place of a
 *     checksum it has the {@link #user}
 * @param store name of the block store
 * @param key of the object, that is, of one attempt to upload the block
 * @param expiryMillis wall clock, milliseconds since 1970, from which starting a write or reading is refused
 */
public record BlockToken(Mode mode, Block block, String store, String key, long expiryMillis) {
    /** Permits a user to write a block. */
    public static BlockToken toWrite(Block block, String user, String store, String key, long expiryMillis) {
        Block marked = new Block(block.id(), block.generation(), block.length(), user.hashCode());
        return new BlockToken(Mode.WRITE, marked, store, key, expiryMillis);
    }

    /**
     * Returns the number that stands for the user when datanodes share out among users, in a write token; 0 if an
     * earlier version created it.
     */
    public int user() {
        return block.crc32c();
    }

    /** The permitted action. Each has a fixed number on the wire. */
    public enum Mode {
        READ(1),
        WRITE(2);

        private final int number;

        Mode(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }
    }
}
