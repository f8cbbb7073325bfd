package io.lambdafs.store;

import java.util.Arrays;

/** A row: a key and one value per value column. Immutable; what it is made of is not copied and must not be changed. */
public final class Row {
    private final Key key;
    private final Object[] values;

    /**
     * @param values one {@code Long}, {@code String} or {@code byte[]} per value column of the key's table
     */
    public Row(Key key, Object... values) {
        Table table = key.table();
        if (values.length != table.valueSize()) {
            throw new IllegalArgumentException(table + " has " + table.valueSize() + " value columns");
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

    /** The values in the order of the table's value columns; a copy. */
    public Object[] values() {
        return values.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Row row && key.equals(row.key) && Arrays.deepEquals(values, row.values);
    }

    @Override
    public int hashCode() {
        return 31 * key.hashCode() + Arrays.deepHashCode(values);
    }

    @Override
    public String toString() {
        return key + Arrays.deepToString(values);
    }
}
