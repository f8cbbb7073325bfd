package io.lambdafs.store.ndb.row;

import com.mysql.ndbjtie.ndbapi.NdbDictionary.Column;
import com.mysql.ndbjtie.ndbapi.NdbDictionary.ColumnConst;
import com.mysql.ndbjtie.ndbapi.NdbDictionary.Dictionary;
import com.mysql.ndbjtie.ndbapi.NdbDictionary.Index;
import com.mysql.ndbjtie.ndbapi.NdbDictionary.IndexConst;
import com.mysql.ndbjtie.ndbapi.NdbDictionary.Table;
import com.mysql.ndbjtie.ndbapi.NdbDictionary.TableConst;
import io.lambdafs.store.database.DatabaseLostException;
import java.util.ArrayList;
import java.util.List;

/**
 * An NDB table as created without a MySQL server: the primary key, whose first column is the partition key, the other
 * columns, and an ordered index over the key if the table is scanned. Immutable.
 *
 * @param logged whether rows survive a restart of the whole NDB
 * @param onDisk whether strings outside the key are on the data nodes' disks, in {@link DiskSpace}; NDB reserves the
 *     maximum length for each there
 */
public record NdbTable(
        String name, List<Field> key, List<Field> values, boolean scanned, boolean logged, boolean onDisk) {
    static final String INDEX = "PRIMARY";

    static final int ALREADY_THERE = 721;

    private static final int NO_TABLE = 723;
    private static final int NO_INDEX = 4243;

    /** A table in memory. */
    public NdbTable(String name, List<Field> key, List<Field> values, boolean scanned, boolean logged) {
        this(name, key, values, scanned, logged, false);
    }

    /** A column. */
    public record Field(String name, Kind kind, int bytes) {
        public static Field number(String name) {
            return new Field(name, Kind.NUMBER, 0);
        }

        public static Field part(String name) {
            return new Field(name, Kind.PART, 0);
        }

        public static Field bytes(String name, int most) {
            return new Field(name, Kind.BYTES, most);
        }

        private Column make(boolean inKey, boolean partition) {
            Column column = Column.create(name);
            column.setType(
                    switch (kind) {
                        case NUMBER -> ColumnConst.Type.Bigint;
                        case PART -> ColumnConst.Type.Unsigned;
                        case BYTES -> ColumnConst.Type.Longvarbinary;
                    });
            if (kind == Kind.BYTES) {
                column.setLength(bytes);
            }
            column.setNullable(false);
            column.setPrimaryKey(inKey);
            if (inKey) {
                column.setPartitionKey(partition);
            }
            return column;
        }
    }

    /** The type of a column. */
    public enum Kind {
        /** A signed 64-bit number. */
        NUMBER,
        /** An unsigned 32-bit number. */
        PART,
        /** A string, compared byte by byte. */
        BYTES
    }

    /** Creates the table and its index if they are missing. */
    public void ensure(Dictionary dictionary) throws DatabaseLostException {
        if (dictionary.getTable(name) == null) {
            demandMissing(dictionary, name);
            create(dictionary);
        }
        if (scanned && dictionary.getIndex(INDEX, name) == null) {
            demandMissing(dictionary, name);
            createIndex(dictionary);
        }
    }

    /** Fails unless NDB says that the table is missing: a lookup also fails if no node can be asked. */
    public static void demandMissing(Dictionary dictionary, String name) throws DatabaseLostException {
        int code = dictionary.getNdbError().code();
        if (code != NO_TABLE && code != NO_INDEX) {
            throw NdbFailure.of("cannot look for the table " + name, dictionary.getNdbError());
        }
    }

    private void create(Dictionary dictionary) throws DatabaseLostException {
        List<Column> columns = new ArrayList<>();
        key.forEach(field -> columns.add(field.make(true, field.equals(key.get(0)))));
        values.forEach(field -> columns.add(field.make(false, false)));
        Table table = Table.create(name);
        if (onDisk) {
            table.setTablespaceName(DiskSpace.NAME);
            columns.get(columns.size() - 1).setStorageType(ColumnConst.StorageType.StorageTypeDisk);
        }
        try {
            columns.forEach(table::addColumn);
            table.setLogging(logged);
            check(dictionary, dictionary.createTable(table));
        } finally {
            Table.delete(table);
            columns.forEach(Column::delete);
        }
    }

    private void createIndex(Dictionary dictionary) throws DatabaseLostException {
        Index index = Index.create(INDEX);
        try {
            index.setTable(name);
            index.setType(IndexConst.Type.OrderedIndex);
            index.setLogging(false);
            key.forEach(field -> index.addColumnName(field.name()));
            check(dictionary, dictionary.createIndex(index, false));
        } finally {
            Index.delete(index);
        }
    }

    private void check(Dictionary dictionary, int result) throws DatabaseLostException {
        if (result != 0 && dictionary.getNdbError().code() != ALREADY_THERE) {
            throw NdbFailure.of("cannot make the table " + name, dictionary.getNdbError());
        }
    }

    /** Returns whether an existing table of that name has the same columns. */
    boolean matches(TableConst there) {
        if (there.getNoOfColumns() != key.size() + values.size()) {
            return false;
        }
        for (int i = 0; i < there.getNoOfColumns(); i++) {
            Field field = i < key.size() ? key.get(i) : values.get(i - key.size());
            if (!there.getColumn(i).getName().equals(field.name())) {
                return false;
            }
        }
        return true;
    }
}
