package io.lambdafs.store.ndb.row;

import com.mysql.ndbjtie.ndbapi.Ndb;
import com.mysql.ndbjtie.ndbapi.NdbDictionary.Dictionary;
import com.mysql.ndbjtie.ndbapi.NdbDictionary.IndexConst;
import com.mysql.ndbjtie.ndbapi.NdbDictionary.TableConst;
import com.mysql.ndbjtie.ndbapi.NdbTransaction;
import com.mysql.ndbjtie.ndbapi.Ndb_cluster_connection;
import io.lambdafs.model.FsException;
import io.lambdafs.store.database.DatabaseLostException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A connection object of NDB's, with its cache of tables, and memory that NDB writes rows into. Used by one thread at a
 * time. A failed one is discarded: its tables may date from before a restart.
 */
public final class NdbSession implements AutoCloseable {
    /** The database under which a MySQL server shows the tables. */
    static final String DATABASE = "lambdafs";

    private static final String SCHEMA = "def";
    private static final int TRANSACTIONS = 4;
    private static final int MEMORY_BYTES = 2 << 20;
    private static final int ASIDE_BYTES = 4_096;

    private final Ndb ndb;
    private final Map<String, TableConst> tables = new HashMap<>();
    private final Set<String> absent = new HashSet<>();
    private final Map<String, IndexConst> indexes = new HashMap<>();
    private final NdbMemory memory = new NdbMemory(MEMORY_BYTES);
    private final NdbMemory aside = new NdbMemory(ASIDE_BYTES);

    public NdbSession(Ndb_cluster_connection connection) throws DatabaseLostException {
        ndb = Ndb.create(connection, DATABASE, SCHEMA);
        if (ndb.init(TRANSACTIONS) != 0) {
            try {
                throw NdbFailure.of("cannot use NDB", ndb.getNdbError());
            } finally {
                close();
            }
        }
    }

    /** Returns the memory for keys and rows, reused by each batch. */
    public NdbMemory memory() {
        return memory;
    }

    /** Returns the memory for values read beside the rows of a batch. */
    public NdbMemory aside() {
        return aside;
    }

    public Dictionary dictionary() {
        return ndb.getDictionary();
    }

    public TableConst table(NdbTable table) throws DatabaseLostException {
        TableConst known = tables.get(table.name());
        if (known == null) {
            known = dictionary().getTable(table.name());
            if (known == null) {
                throw missing(table.name());
            }
            if (!table.matches(known)) {
                throw FsException.invalidArgument(
                        "the table " + DATABASE + "." + table.name() + " in NDB is not as this build makes it");
            }
            tables.put(table.name(), known);
        }
        return known;
    }

    /** Returns the table that stores a part of a row. */
    NdbTable place(RowTable table, int part) throws DatabaseLostException {
        NdbTable onDisk = part == 0 ? null : onDisk(table);
        return onDisk == null ? table.made() : onDisk;
    }

    /** Returns the table on disk with all parts of rows except the first; null if there is none. */
    @Nullable
    NdbTable onDisk(RowTable table) throws DatabaseLostException {
        NdbTable onDisk = table.onDisk();
        return onDisk != null && isMade(onDisk) ? onDisk : null;
    }

    /** Returns whether a table exists; tables are created before sessions read or write rows. */
    private boolean isMade(NdbTable table) throws DatabaseLostException {
        if (!tables.containsKey(table.name()) && !absent.contains(table.name())) {
            if (dictionary().getTable(table.name()) == null) {
                NdbTable.demandMissing(dictionary(), table.name());
                absent.add(table.name());
            } else {
                table(table);
            }
        }
        return !absent.contains(table.name());
    }

    IndexConst index(NdbTable table) throws DatabaseLostException {
        IndexConst known = indexes.get(table.name());
        if (known == null) {
            known = dictionary().getIndex(NdbTable.INDEX, table.name());
            if (known == null) {
                throw missing(table.name() + "'s index");
            }
            indexes.put(table.name(), known);
        }
        return known;
    }

    private FsException missing(String name) throws DatabaseLostException {
        return NdbFailure.of(
                "cannot find " + name + " in NDB's database " + DATABASE,
                dictionary().getNdbError());
    }

    /** Begins a transaction at a data node that has a partition of a table. */
    public NdbTransaction begin(RowTable table, Object partition) throws DatabaseLostException {
        memory.clear();
        return begin(table.made(), table.partition(memory, partition));
    }

    /**
     * Begins a transaction at a data node that has a partition.
     *
     * @param partition the value of the partition key, as NDB compares it, in {@link #memory}
     */
    public NdbTransaction begin(NdbTable table, ByteBuffer partition) throws DatabaseLostException {
        @Nullable NdbTransaction begun = ndb.startTransaction(table(table), partition, partition.remaining());
        if (begun == null) {
            throw NdbFailure.of("cannot begin a transaction", ndb.getNdbError());
        }
        return begun;
    }

    @Override
    public void close() {
        Ndb.delete(ndb);
    }
}
