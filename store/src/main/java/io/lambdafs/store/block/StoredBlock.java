package io.lambdafs.store.block;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;

/**
 * A block of a file: a row of {@link Schema#BLOCKS}. Immutable.
 *
 * @param index position in the file, 0-based
 * @param block for an allocated block, its length is the maximum
 * @param store name of the block store that holds its object
 * @param key of the object
 * @param shown number of leading bytes that the file shows: all, unless truncated
 */
public record StoredBlock(long inodeId, int index, Block block, String store, String key, State state, long shown) {
    /** The state of a block. Each has its fixed number in the row. */
    public enum State {
        /** Allocated to its writer, which has a token; not readable. */
        ALLOCATED(1),
        /** Reported durable by its writer; part of the file. */
        WRITTEN(2);

        private final int number;

        State(int number) {
            this.number = number;
        }
    }

    /** A block that the file shows in full. */
    public StoredBlock(long inodeId, int index, Block block, String store, String key, State state) {
        this(inodeId, index, block, store, key, state, block.length());
    }

    public static Key key(long inodeId, int index) {
        return Schema.BLOCKS.key(inodeId, (long) index);
    }

    /** Reads a row; fails with {@code INTERNAL} if it is damaged. */
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

    /** Returns the block as durable. */
    public StoredBlock written(Block told) {
        return new StoredBlock(inodeId, index, told, store, key, State.WRITTEN);
    }

    /** Returns the block with its object in another place. */
    public StoredBlock at(String newStore, String newKey) {
        return new StoredBlock(inodeId, index, block, newStore, newKey, state, shown);
    }

    /** Returns the block with fewer bytes shown. */
    public StoredBlock cut(long length) {
        return new StoredBlock(inodeId, index, block, store, key, state, length);
    }

    /** Returns the block at another index, perhaps of another file. */
    public StoredBlock movedTo(long newInodeId, int newIndex) {
        return new StoredBlock(newInodeId, newIndex, block, store, key, state, shown);
    }

    /** Returns the block as readers see it. */
    public Block shownBlock() {
        return shown == block.length() ? block : new Block(block.id(), block.generation(), shown, 0);
    }

    /** Returns the row that lists its object as invalid. */
    public Row invalid(long notBeforeMillis) {
        return new Row(Schema.INVALID_BLOCKS.key(store, key), notBeforeMillis);
    }
}
