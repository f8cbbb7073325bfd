package io.lambdafs.store;

import io.lambdafs.model.Utf8Order;
import java.util.Arrays;
import java.util.List;

/**
 * The key of a row, which need not exist; locks are held on keys. Keys sort in locking order: by table rank, partition,
 * table, remaining parts; strings compare by UTF-8 bytes. Immutable; the parts are not copied and must not be changed.
 */
public final class Key implements Comparable<Key> {
    /** Odd, with ones and zeros all over. */
    private static final int SPREAD = 0x9e37_79b1;

    private final Table table;
    private final Object[] parts;
    private final int hash;

    Key(Table table, Object[] parts) {
        if (parts.length != table.keySize()) {
            throw new IllegalArgumentException(table + " has " + table.keySize() + " key columns");
        }
        for (int i = 0; i < parts.length; i++) {
            if (!table.keyType(i).fits(parts[i])) {
                throw new IllegalArgumentException(
                        table + "." + table.keyColumns().get(i).name() + " cannot be "
                                + parts[i].getClass().getSimpleName());
            }
        }
        this.table = table;
        this.parts = parts;
        this.hash = hash(table, parts);
    }

    /** Numbers of directories follow each other, and so do names: with a small factor, as in {@link Arrays#hashCode}, they would add up to the same. */
    private static int hash(Table table, Object... parts) {
        int hash = table.number();
        for (Object part : parts) {
            hash = hash * SPREAD + part.hashCode();
        }
        return hash;
    }

    public Table table() {
        return table;
    }

    public long int64(int part) {
        return (Long) parts[part];
    }

    public String string(int part) {
        return (String) parts[part];
    }

    /** A part by its number; unlike {@link #parts} this allocates nothing. */
    public Object part(int part) {
        return parts[part];
    }

    public List<Object> parts() {
        return List.of(parts);
    }

    /** Returns the value of the partition column. */
    public Object partition() {
        return parts[0];
    }

    @Override
    public int compareTo(Key other) {
        int order = Integer.compare(table.lockRank(), other.table.lockRank());
        if (order == 0) {
            order = comparePart(parts[0], other.parts[0]);
        }
        if (order == 0) {
            order = Integer.compare(table.number(), other.table.number());
        }
        for (int i = 1; order == 0 && i < parts.length; i++) {
            order = comparePart(parts[i], other.parts[i]);
        }
        return order;
    }

    private static int comparePart(Object a, Object b) {
        if (a instanceof Long x && b instanceof Long y) {
            return Long.compare(x, y);
        }
        if (a instanceof String x && b instanceof String y) {
            return Utf8Order.compare(x, y);
        }
        return a instanceof Long ? -1 : 1;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Key key
                && hash == key.hash
                && table.equals(key.table)
                && Arrays.equals(parts, key.parts);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return table + Arrays.toString(parts);
    }
}
