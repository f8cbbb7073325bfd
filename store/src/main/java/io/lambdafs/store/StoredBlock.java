package io.lambdafs.store;

import io.lambdafs.model.Block;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;

/**
 * A block of a file as its row in {@link Schema#BLOCKS} describes it. Immutable.
 *
 * @param index place in the file, from 0
 * @param block of an allocated one, its length is the most that it may have
 * @param store name of the block store that has its object
 * @param key of the object
 * @param shown how many of its bytes the file shows, from the first on: all, unless it was cut
 */
public record StoredBlock(long inodeId, int index, Block block, String store, String key, State state, long shown) {
    /** The state of a block. Each has its fixed number in the row. */
    public enum State {
        /** Its writer has a token for it; nobody reads it. */
        ALLOCATED(1),
        /** Its writer has told that it is durable: a part of the file. */
        WRITTEN(2);

        private final int number;

        State(int number) {
            this.number = number;
        }
    }

    /** A block of which the file shows all. */
    public StoredBlock(long inodeId, int index, Block block, String store, String key, State state) {
        this(inodeId, index, block, store, key, state, block.length());
    }

    public static Key key(long inodeId, int index) {
        return Schema.BLOCKS.key(inodeId, (long) index);
    }

    /** Reads a row; fails with {@code INTERNAL} where it is damaged. */
    public static StoredBlock of(Row row) {
        for (State state : State.values()) {
            if (state.number == row.int64(6)) {
                Block block = new Block(row.int64(0), row.int64(1), row.int64(2), (int) row.int64(3));
                return new StoredBlock(
                        row.key().int64(0),
                        (int) row.key().int64(1),
                        block,
                        row.string(4),
                        row.string(5),
                        state,
                        row.int64(7) < 0 ? block.length() : row.int64(7));
            }
        }
        throw new FsException(
                ErrorCode.INTERNAL,
                "the row of block " + row.int64(0) + " says state " + row.int64(6) + ", which is none");
    }

    public Row row() {
        return new Row(
                key(inodeId, index),
                block.id(),
                block.generation(),
                block.length(),
                (long) block.crc32c(),
                store,
                key,
                (long) state.number,
                shown == block.length() ? -1L : shown);
    }

    /** The same once it is durable. */
    public StoredBlock written(Block told) {
        return new StoredBlock(inodeId, index, told, store, key, State.WRITTEN);
    }

    /** The same whose object is elsewhere. */
    public StoredBlock at(String newStore, String newKey) {
        return new StoredBlock(inodeId, index, block, newStore, newKey, state, shown);
    }

    /** The same where the file shows fewer of its bytes. */
    public StoredBlock cut(long length) {
        return new StoredBlock(inodeId, index, block, store, key, state, length);
    }

    /** The same at another place, perhaps of another file. */
    public StoredBlock movedTo(long newInodeId, int newIndex) {
        return new StoredBlock(newInodeId, newIndex, block, store, key, state, shown);
    }

    /** The block as readers are told of it. */
    public Block shownBlock() {
        return shown == block.length() ? block : new Block(block.id(), block.generation(), shown, 0);
    }

    /** Its object as one that no file needs. */
    public Row invalid(long notBeforeMillis) {
        return new Row(Schema.INVALID_BLOCKS.key(store, key), notBeforeMillis);
    }
}
