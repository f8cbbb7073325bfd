package io.lambdafs.store.block;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;

/**
 * A datanode's row in {@link Schema#DATANODES}. Immutable.
 *
 * @param store name of the block store that it serves
 * @param capacityBytes of the block store, or of this datanode's part of it; 0 if unlimited
 * @param freeBytes left of the capacity
 * @param heartbeatMillis the datanode's wall clock when it wrote the row
 */
public record Datanode(
        DatanodeAddress address, String store, State state, long capacityBytes, long freeBytes, long heartbeatMillis) {
    /** The state of a datanode. Each has its fixed number in the row. */
    public enum State {
        /** Accepts writes and reads. */
        SERVING(1),
        /** Accepts reads and writes already begun; gets no new blocks. */
        DRAINING(2),
        /** Shut down in order. */
        STOPPED(3);

        private final int number;

        State(int number) {
            this.number = number;
        }
    }

    public static Key key(String id) {
        return Schema.DATANODES.key(0L, id);
    }

    /** Reads a row; fails with {@code INTERNAL} if it is damaged. */
    public static Datanode of(Row row) {
        String id = row.key().string(1);
        for (State state : State.values()) {
            if (state.number == row.int64(3)) {
                DatanodeAddress address = new DatanodeAddress(id, row.string(0), (int) row.int64(1));
                return new Datanode(address, row.string(2), state, row.int64(4), row.int64(5), row.int64(6));
            }
        }
        throw new FsException(
                ErrorCode.INTERNAL, "the row of datanode " + id + " says state " + row.int64(3) + ", which is none");
    }

    Datanode withState(State other) {
        return new Datanode(address, store, other, capacityBytes, freeBytes, heartbeatMillis);
    }

    public Row row() {
        return new Row(
                key(address.id()),
                address.host(),
                (long) address.port(),
                store,
                (long) state.number,
                capacityBytes,
                freeBytes,
                heartbeatMillis);
    }
}
