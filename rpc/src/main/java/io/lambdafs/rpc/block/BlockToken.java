package io.lambdafs.rpc.block;

import io.lambdafs.model.Block;

/**
 * What a block token lets its holder do: write or read one block, as one object. It is independent of the instance that made it. Immutable.
 *
 * @param block whose generation is that of the writer lease; of a block to be written, its length is the most that it may have
 * @param store name of the block store
 * @param key of the object: of one attempt to upload the block
 * @param expiryMillis wall clock, milliseconds since 1970, from which on a write is not begun and a read is refused
 */
public record BlockToken(Mode mode, Block block, String store, String key, long expiryMillis) {
    /** What its holder may do. Each has its fixed number on the wire. */
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
