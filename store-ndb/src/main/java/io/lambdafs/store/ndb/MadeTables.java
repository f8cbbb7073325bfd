package io.lambdafs.store.ndb;

import com.mysql.ndbjtie.ndbapi.NdbDictionary.Dictionary;
import com.mysql.ndbjtie.ndbapi.NdbOperation;
import com.mysql.ndbjtie.ndbapi.NdbOperationConst.AbortOption;
import com.mysql.ndbjtie.ndbapi.NdbOperationConst.LockMode;
import com.mysql.ndbjtie.ndbapi.NdbTransaction;
import com.mysql.ndbjtie.ndbapi.NdbTransaction.ExecType;
import io.lambdafs.model.FsException;
import io.lambdafs.store.database.DatabaseLostException;
import io.lambdafs.store.ndb.row.DiskSpace;
import io.lambdafs.store.ndb.row.MostBytes;
import io.lambdafs.store.ndb.row.NdbFailure;
import io.lambdafs.store.ndb.row.NdbMemory;
import io.lambdafs.store.ndb.row.NdbSession;
import io.lambdafs.store.ndb.row.NdbTable;
import io.lambdafs.store.ndb.row.NdbTable.Field;
import io.lambdafs.store.ndb.row.RowReads;
import io.lambdafs.store.ndb.row.RowTable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Records the tables that were created, in a row of a table: one that was created and is missing has lost its rows, and
 * is not created again. Stateless.
 */
final class MadeTables {
    static final NdbTable TABLE = new NdbTable(
            "made", List.of(Field.part("one")), List.of(Field.bytes("tables", MostBytes.MADE)), false, true);

    private static final int NAMES = 1;

    private MadeTables() {}

    /**
     * Creates the missing tables for rows, except those that existed before.
     *
     * @throws FsException {@code UNAVAILABLE}: a table that was created is missing; {@code INVALID_ARGUMENT}: contents
     *     shall be on disk, and are in memory; {@code STORE_FULL}: there is no room for tables
     */
    static void ensure(NdbSession session, NdbSettings settings) throws DatabaseLostException {
        Dictionary dictionary = session.dictionary();
        Set<String> made = dictionary.getTable(TABLE.name()) == null ? Set.of() : read(session);
        Set<String> gone = new TreeSet<>();
        for (String each : made) {
            if (dictionary.getTable(each) == null) {
                NdbTable.demandMissing(dictionary, each);
                gone.add(each);
            }
        }
        if (!gone.isEmpty()) {
            throw FsException.unavailable(
                    "the NDB at " + settings.connect() + " has lost the tables " + String.join(", ", gone)
                            + ", and what was in them: restore a backup; to begin anew and empty, drop all tables,"
                            + " the table " + TABLE.name() + " too");
        }
        Set<String> all = new TreeSet<>(made);
        for (RowTable each : RowTable.all()) {
            each.made().ensure(dictionary);
            all.add(each.name());
            NdbTable onDisk = each.onDisk();
            if (onDisk != null && settings.diskMb() > 0) {
                demandNew(made, onDisk);
                DiskSpace.ensure(dictionary, onDisk, settings.diskMb());
                all.add(onDisk.name());
            }
        }
        TABLE.ensure(dictionary);
        if (!made.containsAll(all)) {
            write(session, String.join(",", all));
        }
    }

    /** Existing rows have all their parts in memory. */
    private static void demandNew(Set<String> made, NdbTable onDisk) {
        if (!made.isEmpty() && !made.contains(onDisk.name())) {
            throw FsException.invalidArgument(
                    "the tables in NDB were made with contents in memory: leave diskMb out, or dump the metadata and"
                            + " load it into an NDB without tables");
        }
    }

    static Set<String> read(NdbSession session) throws DatabaseLostException {
        NdbTransaction transaction = begin(session);
        try {
            NdbOperation operation = operation(session, transaction);
            operation.readTuple(LockMode.LM_CommittedRead);
            operation.equal(0, HolderRow.ONE);
            ByteBuffer names = session.memory().room(NdbMemory.LENGTH_BYTES + MostBytes.MADE);
            operation.getValue(NAMES, names);
            new RowReads(session, transaction).execute();
            int code = operation.getNdbError().code();
            if (code == NdbFailure.NO_ROW) {
                return Set.of();
            }
            if (code != 0) {
                throw NdbFailure.of("cannot read which tables were made", operation.getNdbError());
            }
            return Set.of(new String(NdbMemory.read(names), StandardCharsets.UTF_8).split(","));
        } finally {
            transaction.close();
        }
    }

    static void write(NdbSession session, String names) throws DatabaseLostException {
        NdbTransaction transaction = begin(session);
        try {
            NdbOperation operation = operation(session, transaction);
            operation.writeTuple();
            operation.equal(0, HolderRow.ONE);
            byte[] bytes = names.getBytes(StandardCharsets.UTF_8);
            operation.setValue(NAMES, session.memory().bytes(bytes, 0, bytes.length));
            if (transaction.execute(ExecType.Commit, AbortOption.AbortOnError, RowReads.FORCE_SEND) != 0) {
                throw NdbFailure.of("cannot write which tables were made", transaction.getNdbError());
            }
        } finally {
            transaction.close();
        }
    }

    private static NdbTransaction begin(NdbSession session) throws DatabaseLostException {
        session.memory().clear();
        return session.begin(TABLE, HolderRow.partition(session));
    }

    private static NdbOperation operation(NdbSession session, NdbTransaction transaction) throws DatabaseLostException {
        NdbOperation operation = transaction.getNdbOperation(session.table(TABLE));
        if (operation == null) {
            throw NdbFailure.of("cannot use the table " + TABLE.name(), transaction.getNdbError());
        }
        return operation;
    }
}
