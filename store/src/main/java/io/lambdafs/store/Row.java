package io.lambdafs.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A row: a key and one value per value column, plus the encoded columns that a later version added. Immutable;
 * arguments are not copied and must not be changed.
 */
public final class Row {
    private static final byte[] NOTHING = {};

    private final Key key;
    private final Object[] values;
    private final byte[] unknown;

    /**
     * @param values one {@code Long}, {@code String} or {@code byte[]} per value column of the key's table; trailing
     *     values with a default may be omitted
     */
    public Row(Key key, Object... values) {
        this(key, values, NOTHING);
    }

    private Row(Key key, Object[] given, byte[] unknown) {
        Table table = key.table();
        if (given.length < table.requiredSize() || given.length > table.valueSize()) {
            throw new IllegalArgumentException(table + " has " + table.valueSize() + " value columns");
        }
        Object[] values = given;
        if (given.length < table.valueSize()) {
            values = Arrays.copyOf(given, table.valueSize());
            for (int i = given.length; i < values.length; i++) {
                values[i] = table.fallback(i);
            }
        }
        for (int i = 0; i < values.length; i++) {
            if (!table.valueType(i).fits(values[i])) {
                throw new IllegalArgumentException(
                        table + "." + table.valueColumns().get(i).name() + " cannot be "
                                + values[i].getClass().getSimpleName());
            }
        }
        this.key = key;
        this.values = values;
        this.unknown = unknown;
    }

    /**
     * Returns the row with the encoded values of columns unknown to this version, which are preserved when the row is
     * stored or sent.
     */
    public Row withUnknown(byte[] columns) {
        return columns.length == 0 && unknown.length == 0 ? this : new Row(key, values, columns);
    }

    /** Returns the row with the same values under another key of its table. */
    public Row at(Key other) {
        return new Row(other, values, unknown);
    }

    /** Returns the encoded values of columns unknown to this version; not to be changed. */
    public byte[] unknown() {
        return unknown;
    }

    /** Returns the number of values that must be stored: the rest are defaults with nothing unknown after them. */
    public int storedSize() {
        Table table = key.table();
        int size = values.length;
        while (unknown.length == 0
                && size > table.requiredSize()
                && areEqual(values[size - 1], table.fallback(size - 1))) {
            size--;
        }
        return size;
    }

    private static boolean areEqual(Object value, @Nullable Object other) {
        return value instanceof byte[] bytes ? Arrays.equals(bytes, (byte[]) other) : value.equals(other);
    }

    public Key key() {
        return key;
    }

    public long int64(int column) {
        return (Long) values[column];
    }

    public String string(int column) {
        return (String) values[column];
    }

    public byte[] bytes(int column) {
        return (byte[]) values[column];
    }

    /** Returns a value itself, not a copy. */
    public Object value(int column) {
        return values[column];
    }

    /** Returns a copy of the values in the order of the table's value columns. */
    public Object[] values() {
        return values.clone();
    }

    /** Returns the approximate size on the wire or disk, in bytes; an overestimate for plain text. */
    public int estimatedBytes() {
        int size = 64 + unknown.length;
        for (Object value : values) {
            size += estimatedBytes(value);
        }
        for (int i = 0; i < key.table().keySize(); i++) {
            size += estimatedBytes(key.part(i));
        }
        return size;
    }

    private static int estimatedBytes(Object value) {
        return value instanceof byte[] bytes
                ? 5 + bytes.length
                : value instanceof String text ? 5 + 3 * text.length() : 10;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Row row
                && key.equals(row.key)
                && Arrays.deepEquals(values, row.values)
                && Arrays.equals(unknown, row.unknown);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }

    @Override
    public String toString() {
        return key + Arrays.deepToString(values);
    }
}
