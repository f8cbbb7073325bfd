package io.lambdafs.store.server;

import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.store.Column;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Table;

/**
 * Encodes the values of a row, on disk and on the wire: the columns in order, integers as zigzag varints, strings and
 * bytes prefixed by their length. Columns added later may be missing at the end and read as their defaults; bytes after
 * the last column known to this version are preserved. Stateless.
 */
public final class RowColumns {
    private RowColumns() {}

    /** Writes the values from {@code first} on that must be stored, and the unknown columns. */
    public static void write(WireWriter out, Row row, int first) {
        write(out, row, first, row.storedSize());
        out.writeRaw(row.unknown());
    }

    /** Writes the values {@code first} to {@code end}, exclusive. */
    static void write(WireWriter out, Row row, int first, int end) {
        Table table = row.key().table();
        for (int i = first; i < end; i++) {
            switch (table.valueType(i)) {
                case INT64 -> out.writeLong(row.int64(i));
                case STRING -> out.writeString(row.string(i));
                case BYTES -> out.writeBytes(row.bytes(i));
            }
        }
    }

    /** Reads a row whose values are the rest of the input. */
    public static Row read(Key key, WireReader in) {
        Object[] values = new Object[key.table().valueSize()];
        readRequired(key, in, values);
        return readLater(key, in, values);
    }

    /** Reads the required values. */
    static void readRequired(Key key, WireReader in, Object[] values) {
        Table table = key.table();
        for (int i = 0; i < table.requiredSize(); i++) {
            values[i] = readValue(in, table.valueType(i));
        }
    }

    /** Reads the remaining optional values, until the end. */
    static Row readLater(Key key, WireReader in, Object[] values) {
        Table table = key.table();
        for (int i = table.requiredSize(); i < values.length; i++) {
            Object fallback = table.fallback(i);
            values[i] = in.remaining() == 0 && fallback != null ? fallback : readValue(in, table.valueType(i));
        }
        Row row = new Row(key, values);
        return in.remaining() == 0 ? row : row.withUnknown(in.readRest());
    }

    private static Object readValue(WireReader in, Column.Type type) {
        return switch (type) {
            case INT64 -> in.readLong();
            case STRING -> in.readString();
            case BYTES -> in.readBytes();
        };
    }
}
