package io.lambdafs.store.ndb.row;

import com.mysql.ndbjtie.ndbapi.NdbOperation;
import com.mysql.ndbjtie.ndbapi.NdbOperationConst.AbortOption;
import com.mysql.ndbjtie.ndbapi.NdbTransaction;
import com.mysql.ndbjtie.ndbapi.NdbTransaction.ExecType;
import io.lambdafs.model.FsException;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.database.DatabaseLostException;

/** Changes rows in a transaction, in batches that are sent when they are large enough. Confined to one thread. */
public final class RowWrites {
    private static final String CANNOT_WRITE = "the store cannot write";
    private static final int BATCH_OPERATIONS = 500;
    private static final int BATCH_BYTES = 512 << 10;

    private final NdbSession session;
    private final NdbTransaction transaction;
    private final RowReads operations;
    private int pending;
    private int pendingBytes;

    public RowWrites(NdbSession session, NdbTransaction transaction) {
        this.session = session;
        this.transaction = transaction;
        this.operations = new RowReads(session, transaction);
    }

    /**
     * Writes a row.
     *
     * @param before the number of parts under its key; those not overwritten are deleted
     */
    public void put(Row row, int before) throws DatabaseLostException {
        RowTable table = RowTable.of(row.key());
        byte[] values = RowTable.values(row);
        int parts = RowTable.partsOf(values);
        if (parts > 1 && !table.hasParts()) {
            throw FsException.invalidArgument(
                    "a row of " + table.name() + " takes " + values.length + " bytes, of " + MostBytes.PART);
        }
        for (int part = 0; part < parts; part++) {
            int from = part * MostBytes.PART;
            int length = Math.min(MostBytes.PART, values.length - from);
            NdbOperation operation = begin(table, part, length);
            operations.check(operation.writeTuple());
            operations.bind(operation, row.key(), part);
            operations.check(operation.setValue(table.parts(), parts));
            operations.check(
                    operation.setValue(table.columns(), session.memory().bytes(values, from, length)));
        }
        delete(row.key(), parts, before);
    }

    /** Deletes a row with the given number of parts. */
    public void delete(Key key, int parts) throws DatabaseLostException {
        delete(key, 0, parts);
    }

    private void delete(Key key, int from, int to) throws DatabaseLostException {
        for (int part = from; part < to; part++) {
            NdbOperation operation = begin(RowTable.of(key), part, 0);
            operations.check(operation.deleteTuple());
            operations.bind(operation, key, part);
        }
    }

    private NdbOperation begin(RowTable table, int part, int bytes) throws DatabaseLostException {
        if (pending >= BATCH_OPERATIONS || pendingBytes >= BATCH_BYTES) {
            flush();
        }
        pending++;
        pendingBytes += bytes;
        // NDB has copied the values of earlier operations.
        session.memory().clear();
        return operations.operation(table, part);
    }

    /** Sends the pending operations. */
    public void flush() throws DatabaseLostException {
        if (pending > 0 && transaction.execute(ExecType.NoCommit, AbortOption.AbortOnError, RowReads.FORCE_SEND) != 0) {
            throw NdbFailure.of(CANNOT_WRITE, transaction.getNdbError());
        }
        pending = 0;
        pendingBytes = 0;
    }
}
