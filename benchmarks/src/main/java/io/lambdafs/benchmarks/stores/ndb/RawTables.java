package io.lambdafs.benchmarks.stores.ndb;

import com.mysql.clusterj.DynamicObject;
import com.mysql.ndbjtie.ndbapi.Ndb;
import com.mysql.ndbjtie.ndbapi.NdbDictionary.Column;
import com.mysql.ndbjtie.ndbapi.NdbDictionary.ColumnConst;
import com.mysql.ndbjtie.ndbapi.NdbDictionary.Dictionary;
import com.mysql.ndbjtie.ndbapi.NdbDictionary.Index;
import com.mysql.ndbjtie.ndbapi.NdbDictionary.IndexConst;
import com.mysql.ndbjtie.ndbapi.NdbDictionary.Table;
import com.mysql.ndbjtie.ndbapi.NdbDictionary.TableConst;
import com.mysql.ndbjtie.ndbapi.Ndb_cluster_connection;
import java.util.ArrayList;
import java.util.List;

/**
 * The tables that ClusterJ is measured with: those of the store, column by column as NDB describes them, but for the
 * sign of the numbers of parts, since ClusterJ takes no unsigned number in a key. Stateless.
 */
final class RawTables {
    static final String DATABASE = "lambdafs";

    private static final String PREFIX = "raw_";
    private static final String INDEX = "PRIMARY";
    private static final List<String> COPIED = List.of("inodes", "directory_stats", "slots");
    private static final int RETRIES = 4;
    private static final int PAUSE_SECONDS = 1;
    private static final int READY_SECONDS = 20;

    private RawTables() {}

    /** A row of the INodes: parent, name, part, parts, columns. */
    public static final class INodeRow extends DynamicObject {
        @Override
        public String table() {
            return PREFIX + "inodes";
        }
    }

    /** A row of the directories' statistics: directory, part, parts, columns. */
    public static final class StatsRow extends DynamicObject {
        @Override
        public String table() {
            return PREFIX + "directory_stats";
        }
    }

    /** A row of the slots: client, slot, part, parts, columns. */
    public static final class SlotRow extends DynamicObject {
        @Override
        public String table() {
            return PREFIX + "slots";
        }
    }

    /** Makes the tables, which must not exist. */
    static void make(String connect) {
        System.loadLibrary("ndbclient");
        Ndb_cluster_connection connection = Ndb_cluster_connection.create(connect);
        try {
            demand(connection.connect(RETRIES, PAUSE_SECONDS, 0) == 0, connection.get_latest_error_msg());
            demand(connection.wait_until_ready(READY_SECONDS, 0) >= 0, "no data node is ready");
            Ndb ndb = Ndb.create(connection, DATABASE, "def");
            try {
                demand(ndb.init(1) == 0, "NDB gives no session");
                COPIED.forEach(name -> copy(ndb.getDictionary(), name));
            } finally {
                Ndb.delete(ndb);
            }
        } finally {
            Ndb_cluster_connection.delete(connection);
        }
    }

    private static void copy(Dictionary dictionary, String name) {
        TableConst from = dictionary.getTable(name);
        demand(from != null, "the store has no table " + name);
        Table table = Table.create(PREFIX + name);
        Index index = Index.create(INDEX);
        List<Column> columns = new ArrayList<>();
        try {
            demand(index.setTable(PREFIX + name) == 0, "the index takes no name");
            index.setType(IndexConst.Type.OrderedIndex);
            index.setLogging(false);
            for (int i = 0; i < from.getNoOfColumns(); i++) {
                Column column = signed(from.getColumn(i));
                columns.add(column);
                table.addColumn(column);
                if (column.getPrimaryKey()) {
                    index.addColumnName(column.getName());
                }
            }
            check(dictionary, dictionary.createTable(table));
            check(dictionary, dictionary.createIndex(index, false));
        } finally {
            Index.delete(index);
            Table.delete(table);
            columns.forEach(Column::delete);
        }
    }

    private static Column signed(ColumnConst from) {
        Column column = Column.create(from);
        if (from.getType() == ColumnConst.Type.Unsigned) {
            // This resets everything but the name.
            column.setType(ColumnConst.Type.Int);
            column.setNullable(from.getNullable());
            column.setPrimaryKey(from.getPrimaryKey());
            if (from.getPrimaryKey()) {
                column.setPartitionKey(from.getPartitionKey());
            }
        }
        return column;
    }

    private static void check(Dictionary dictionary, int result) {
        demand(result == 0, dictionary.getNdbError().message());
    }

    private static void demand(boolean done, String why) {
        if (!done) {
            throw new IllegalStateException(why);
        }
    }
}
