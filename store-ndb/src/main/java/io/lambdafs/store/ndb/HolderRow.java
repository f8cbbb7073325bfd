package io.lambdafs.store.ndb;

import com.mysql.ndbjtie.ndbapi.NdbOperation;
import com.mysql.ndbjtie.ndbapi.NdbOperationConst.LockMode;
import com.mysql.ndbjtie.ndbapi.NdbRecAttr;
import com.mysql.ndbjtie.ndbapi.NdbTransaction;
import io.lambdafs.store.database.DatabaseLostException;
import io.lambdafs.store.ndb.row.MostBytes;
import io.lambdafs.store.ndb.row.NdbFailure;
import io.lambdafs.store.ndb.row.NdbMemory;
import io.lambdafs.store.ndb.row.NdbSession;
import io.lambdafs.store.ndb.row.NdbTable;
import io.lambdafs.store.ndb.row.NdbTable.Field;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The row that names the database's holder, as it was read (PROTOCOL: D1, D2). Immutable.
 *
 * @param cluster the cluster that the tables belong to
 * @param format of the tables; raised if a change needs more than new columns
 * @param process a number that the holding process chose for itself
 * @param held true until that process leaves cleanly
 */
record HolderRow(String cluster, long format, long incarnation, long lastGroup, long process, boolean held) {
    static final NdbTable TABLE = new NdbTable(
            "holder",
            List.of(Field.part("one")),
            List.of(
                    Field.bytes("cluster", MostBytes.CLUSTER),
                    Field.number("format"),
                    Field.number("incarnation"),
                    Field.number("last_group"),
                    Field.number("process"),
                    Field.number("held")),
            false,
            true);
    /** A table whose row survives until the whole NDB restarts, because it is in memory only (PROTOCOL: D6). */
    static final NdbTable ALIVE =
            new NdbTable("alive", List.of(Field.part("one")), List.of(Field.number("incarnation")), false, false);

    static final int ONE = 1;

    private static final int CLUSTER = 1;
    private static final int FORMAT = 2;
    private static final int INCARNATION = 3;
    private static final int LAST_GROUP = 4;
    private static final int PROCESS = 5;
    private static final int HELD = 6;

    /** A defined read of the row; its result is known after execution. Confined to one thread. */
    static final class Reading {
        private final NdbOperation operation;
        private final ByteBuffer cluster;
        private final NdbRecAttr[] numbers;

        private Reading(NdbOperation operation, ByteBuffer cluster, NdbRecAttr... numbers) {
            this.operation = operation;
            this.cluster = cluster;
            this.numbers = numbers;
        }

        HolderRow row() throws DatabaseLostException {
            if (operation.getNdbError().code() != 0) {
                throw NdbFailure.of("cannot read who holds the database", operation.getNdbError());
            }
            return new HolderRow(
                    new String(NdbMemory.read(cluster), StandardCharsets.UTF_8),
                    numbers[0].int64_value(),
                    numbers[1].int64_value(),
                    numbers[2].int64_value(),
                    numbers[3].int64_value(),
                    numbers[4].int64_value() != 0);
        }
    }

    /** Returns the value of the partition key. */
    static ByteBuffer partition(NdbSession session) {
        return session.memory().room(Integer.BYTES).putInt(0, ONE);
    }

    static NdbTransaction begin(NdbSession session) throws DatabaseLostException {
        session.memory().clear();
        session.aside().clear();
        return session.begin(TABLE, partition(session));
    }

    /** Defines a read of the row, under a lock or as committed. */
    static Reading read(NdbSession session, NdbTransaction transaction, int lockMode) throws DatabaseLostException {
        NdbOperation operation = operation(session, transaction, TABLE);
        operation.readTuple(lockMode);
        operation.equal(0, ONE);
        ByteBuffer cluster = session.aside().room(NdbMemory.LENGTH_BYTES + MostBytes.CLUSTER);
        operation.getValue(CLUSTER, cluster);
        return new Reading(
                operation,
                cluster,
                operation.getValue(FORMAT, null),
                operation.getValue(INCARNATION, null),
                operation.getValue(LAST_GROUP, null),
                operation.getValue(PROCESS, null),
                operation.getValue(HELD, null));
    }

    /** Defines a read that tells whether {@link #ALIVE} has a row. */
    static NdbOperation lookForLife(NdbSession session, NdbTransaction transaction) throws DatabaseLostException {
        NdbOperation operation = operation(session, transaction, ALIVE);
        operation.readTuple(LockMode.LM_CommittedRead);
        operation.equal(0, ONE);
        operation.getValue(1, null);
        return operation;
    }

    /** Defines the insertion of the first row. */
    void insert(NdbSession session, NdbTransaction transaction) throws DatabaseLostException {
        NdbOperation operation = operation(session, transaction, TABLE);
        operation.insertTuple();
        operation.equal(0, ONE);
        byte[] name = cluster.getBytes(StandardCharsets.UTF_8);
        operation.setValue(CLUSTER, session.memory().bytes(name, 0, name.length));
        operation.setValue(FORMAT, format);
        set(operation);
    }

    /** Defines an update of all columns except the cluster and the format. */
    void update(NdbSession session, NdbTransaction transaction) throws DatabaseLostException {
        NdbOperation operation = operation(session, transaction, TABLE);
        operation.updateTuple();
        operation.equal(0, ONE);
        set(operation);
    }

    private void set(NdbOperation operation) {
        operation.setValue(INCARNATION, incarnation);
        operation.setValue(LAST_GROUP, lastGroup);
        operation.setValue(PROCESS, process);
        operation.setValue(HELD, held ? 1L : 0L);
    }

    /** Defines a write of the row in {@link #ALIVE}. */
    void writeLife(NdbSession session, NdbTransaction transaction) throws DatabaseLostException {
        NdbOperation operation = operation(session, transaction, ALIVE);
        operation.writeTuple();
        operation.equal(0, ONE);
        operation.setValue(1, incarnation);
    }

    private static NdbOperation operation(NdbSession session, NdbTransaction transaction, NdbTable table)
            throws DatabaseLostException {
        NdbOperation operation = transaction.getNdbOperation(session.table(table));
        if (operation == null) {
            throw NdbFailure.of("cannot use the table " + table.name(), transaction.getNdbError());
        }
        return operation;
    }

    /** Returns the row after a process has taken the database. */
    HolderRow takenBy(long taker) {
        return new HolderRow(cluster, format, incarnation + 1, lastGroup, taker, true);
    }

    /** Returns the row after a group. */
    HolderRow after(long group) {
        return new HolderRow(cluster, format, incarnation, group, process, held);
    }

    /** Returns the row after its holder has left cleanly. */
    HolderRow left() {
        return new HolderRow(cluster, format, incarnation, lastGroup, process, false);
    }
}
