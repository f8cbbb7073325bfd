package io.lambdafs.store.ndb.row;

import io.lambdafs.model.FsException;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.store.Column;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import io.lambdafs.store.server.RowColumns;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A table of λFS in NDB: its key columns, the part number, and in each part the number of parts and a piece of the
 * values ({@link RowColumns}). Values are one column, so that a row can be longer than NDB's rows, and later columns
 * change no table. Immutable.
 *
 * @param onDisk the table of all parts except the first, if it was created; null if all parts are in one table
 * @param hasParts whether a row may have more than one part, so that writing it may leave parts of an earlier one
 *     behind
 */
public record RowTable(Table table, NdbTable made, @Nullable NdbTable onDisk, boolean hasParts) {
    private static final String DISK_SUFFIX = "_on_disk";
    private static final int VALUES_ESTIMATE = 128;
    private static final Map<Table, RowTable> ALL = Schema.TABLES.stream()
            .filter(Table::hasRows)
            .map(RowTable::of)
            .collect(Collectors.toUnmodifiableMap(RowTable::table, Function.identity()));

    /** The tables that have rows. */
    public static List<RowTable> all() {
        return List.copyOf(ALL.values());
    }

    public static RowTable of(Key key) {
        return get(key.table());
    }

    public static RowTable get(Table table) {
        RowTable known = ALL.get(table);
        if (known == null) {
            throw new IllegalArgumentException(table + " has no rows");
        }
        return known;
    }

    private static RowTable of(Table table) {
        List<NdbTable.Field> key = new ArrayList<>();
        for (Column column : table.keyColumns()) {
            boolean last = key.size() + 1 == table.keySize();
            key.add(
                    column.type() == Column.Type.INT64
                            ? NdbTable.Field.number(column.name())
                            : NdbTable.Field.bytes(column.name(), last ? MostBytes.KEY : MostBytes.FIRST_KEY));
        }
        key.add(NdbTable.Field.part("part"));
        List<NdbTable.Field> values =
                List.of(NdbTable.Field.part("parts"), NdbTable.Field.bytes("columns", MostBytes.PART));
        NdbTable onDisk = table.equals(Schema.SMALL_FILES)
                ? new NdbTable(table.name() + DISK_SUFFIX, key, values, false, true, true)
                : null;
        boolean hasParts = table.equals(Schema.CHANGES)
                || table.valueColumns().stream().anyMatch(column -> column.type() == Column.Type.BYTES);
        return new RowTable(table, new NdbTable(table.name(), key, values, true, true), onDisk, hasParts);
    }

    public String name() {
        return made.name();
    }

    /** Returns the number of the column with the part number. */
    public int part() {
        return table.keySize();
    }

    /** Returns the number of the column with the number of parts. */
    public int parts() {
        return table.keySize() + 1;
    }

    /** Returns the number of the column with a piece of the values. */
    int columns() {
        return table.keySize() + 2;
    }

    /** Returns a value of a key column in NDB's form. */
    ByteBuffer key(NdbMemory memory, int column, Object value) {
        if (value instanceof Long number) {
            return memory.number(number);
        }
        byte[] text = ((String) value).getBytes(StandardCharsets.UTF_8);
        if (text.length > made.key().get(column).bytes()) {
            throw FsException.invalidArgument("NDB cannot index a name or path of " + text.length + " bytes: "
                    + made.key().get(column).bytes() + " at most");
        }
        return memory.bytes(text, 0, text.length);
    }

    /** Returns the value of the partition key. */
    ByteBuffer partition(NdbMemory memory, Object value) {
        return key(memory, 0, value);
    }

    /** Returns whether a key column is a number. */
    boolean isNumbered(int column) {
        return table.keyType(column) == Column.Type.INT64;
    }

    public static byte[] values(Row row) {
        WireWriter out = new WireWriter(VALUES_ESTIMATE);
        RowColumns.write(out, row, 0);
        return out.toByteArray();
    }

    static Row row(Key key, byte[] values) {
        return RowColumns.read(key, new WireReader(values));
    }

    static int partsOf(byte[] values) {
        return Math.max(1, (values.length + MostBytes.PART - 1) / MostBytes.PART);
    }
}
