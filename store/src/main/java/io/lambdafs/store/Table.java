package io.lambdafs.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table: key columns, the first of which is the partition, and value columns. A table without value columns has no
 * rows; its keys only serve as locks. Identified by a permanent number. Immutable.
 */
public final class Table {
    private final int number;
    private final String name;
    private final int lockRank;
    private final List<Column> keyColumns;
    private final List<Column> valueColumns;
    // Arrays, because every row looks up its column types, and listings spend their time there.
    private final Column.Type[] keyTypes;
    private final Column.Type[] valueTypes;
    private final @Nullable Object[] fallbacks;
    private final int requiredSize;
    private final boolean ofProcesses;

    /**
     * Describes a table.
     *
     * @param number 1–255; breaks ties in the order of locks
     * @param lockRank rank in the total order of locks: keys of a lower rank are locked first; tables of one rank interleave by
     *     partition, so that a directory's listing lock comes before its children
     */
    public Table(int number, String name, int lockRank, List<Column> keyColumns, List<Column> valueColumns) {
        this(number, name, lockRank, keyColumns, valueColumns, false);
    }

    private Table(
            int number,
            String name,
            int lockRank,
            List<Column> keyColumns,
            List<Column> valueColumns,
            boolean ofProcesses) {
        this.number = number;
        this.name = name;
        this.lockRank = lockRank;
        this.keyColumns = List.copyOf(keyColumns);
        this.valueColumns = List.copyOf(valueColumns);
        this.keyTypes = types(keyColumns);
        this.valueTypes = types(valueColumns);
        this.fallbacks = valueColumns.stream().map(Column::fallback).toArray();
        this.requiredSize = requiredSize(valueColumns);
        this.ofProcesses = ofProcesses;
    }

    /** Returns the table marked as describing running processes: its rows mean nothing in another store. */
    Table ofProcesses() {
        return new Table(number, name, lockRank, keyColumns, valueColumns, true);
    }

    private static int requiredSize(List<Column> columns) {
        int required = 0;
        while (required < columns.size() && columns.get(required).fallback() == null) {
            required++;
        }
        if (columns.stream().skip(required).anyMatch(column -> column.fallback() == null)) {
            throw new IllegalArgumentException("a column without a default follows one that has one");
        }
        return required;
    }

    private static Column.Type[] types(List<Column> columns) {
        return columns.stream().map(Column::type).toArray(Column.Type[]::new);
    }

    public int number() {
        return number;
    }

    public String name() {
        return name;
    }

    public int lockRank() {
        return lockRank;
    }

    public List<Column> keyColumns() {
        return keyColumns;
    }

    public List<Column> valueColumns() {
        return valueColumns;
    }

    /** Returns the number of key columns. */
    public int keySize() {
        return keyTypes.length;
    }

    public Column.Type keyType(int column) {
        return keyTypes[column];
    }

    /** Returns whether the table can have rows; if not, its keys only serve as locks. */
    public boolean hasRows() {
        return valueTypes.length > 0;
    }

    /**
     * Returns whether the rows are carried over to another store: the table can have rows and does not describe running
     * processes.
     */
    public boolean isCarried() {
        return hasRows() && !ofProcesses;
    }

    /** Returns the number of value columns. */
    public int valueSize() {
        return valueTypes.length;
    }

    /**
     * Returns the number of value columns that every stored row has; trailing ones may be omitted if they hold
     * defaults.
     */
    public int requiredSize() {
        return requiredSize;
    }

    public Column.Type valueType(int column) {
        return valueTypes[column];
    }

    /** Returns what a value column reads as where a stored row is without it; null where every row has it. */
    public @Nullable Object fallback(int column) {
        return fallbacks[column];
    }

    /**
     * Returns a key of this table.
     *
     * @param parts one {@code Long} or {@code String} per key column; not copied
     */
    public Key key(Object... parts) {
        return new Key(this, parts);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Table table && table.number == number;
    }

    @Override
    public int hashCode() {
        return number;
    }

    @Override
    public String toString() {
        return name;
    }
}
