package io.lambdafs.functions.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The cached children of one directory, in an open-addressing hash table, and optionally its complete listing. A child
 * with content or cached children of its own is a {@link TrieNode}; any other is a row of {@link INodeEncoding}. Bound to
 * the directory's INode id, so that another directory at the same path does not inherit it. Lock-free for readers, with
 * one writer at a time: a reader may miss a child being added or moved, and find one being removed.
 */
final class Children {
    /** Tombstone of a removed child, so that probing continues. */
    private static final Object REMOVED = new Object();

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);
    private static final Object[] NONE = new Object[0];
    /** Slots of the smallest table. */
    static final int SMALLEST = 4;

    /** Larger tables are replaced incrementally, because replacing holds the mutex. */
    private static final int MOVED_AT_ONCE = 1_024;

    private static final int MOVED_PER_CHANGE = 64;

    private final long directoryId;
    private volatile @Nullable Listing listing;
    private volatile Object[] table = NONE;
    /** The previous table while its children are being moved; indices below {@code moved} are done. */
    private volatile Object[] former = NONE;

    private int moved;
    private int occupied;
    private int live;
    private int rows;
    private long rowBytes;
    private boolean listingUsed;
    /** The {@link Clock}'s position, used by it alone. */
    int swept;

    Children(long directoryId) {
        this.directoryId = directoryId;
    }

    long directoryId() {
        return directoryId;
    }

    @Nullable
    Listing listing() {
        return listing;
    }

    void listing(@Nullable Listing value) {
        listing = value;
    }

    void touchListing() {
        if (!listingUsed) {
            listingUsed = true;
        }
    }

    boolean takeListingUsed() {
        boolean was = listingUsed;
        listingUsed = false;
        return was;
    }

    /** Returns a {@link TrieNode}, a row, or null. */
    @Nullable
    Object child(String name) {
        int hash = spread(name.hashCode());
        Object found = probe(table, hash, name);
        return found == null ? probe(former, hash, name) : found;
    }

    private static @Nullable Object probe(Object[] slots, int hash, String name) {
        int mask = slots.length - 1;
        if (mask < 0) {
            return null;
        }
        for (int i = hash & mask; ; i = (i + 1) & mask) {
            Object found = SLOT.getAcquire(slots, i);
            if (found == null || isNamed(found, name)) {
                return found;
            }
        }
    }

    private static boolean isNamed(Object child, String name) {
        if (child instanceof byte[] row) {
            return INodeEncoding.isNamed(row, name);
        }
        return child instanceof TrieNode node && node.name().equals(name);
    }

    /** Adds a child with a new name. */
    void add(Object child) {
        move(MOVED_PER_CHANGE);
        if (isFull()) {
            replaceTable();
        }
        insert(child);
        live++;
        count(child, 1);
    }

    /**
     * Returns whether the table is half full. A miss then takes 1.5 probes, each a memory fetch; at three quarters,
     * 3.5.
     */
    private boolean isFull() {
        return (occupied + 1) * 2L > table.length;
    }

    /** Returns the next table size: a power of two, at most 2/5 full. */
    private int sizeOfNext() {
        return Math.max(SMALLEST, Integer.highestOneBit(live * 5 / 2) * 2);
    }

    /** Returns the bytes of a new table needed to add another child; 0 if none is needed. */
    long growth() {
        return isFull() ? Footprint.table(sizeOfNext()) : 0;
    }

    /** Removes an existing child. */
    void remove(Object child) {
        replace(child, REMOVED);
        live--;
        tidy(spread(hash(child)));
        move(MOVED_PER_CHANGE);
        if (live == 0) {
            table = NONE;
            former = NONE;
            moved = 0;
            occupied = 0;
        } else if (live * 8L < table.length && table.length > SMALLEST) {
            replaceTable();
        }
    }

    /** Replaces an existing child with another of the same name. */
    void replace(Object child, Object other) {
        int hash = spread(hash(child));
        if (!replace(table, hash, child, other) && !replace(former, hash, child, other)) {
            throw new IllegalStateException("not a child of " + directoryId);
        }
        count(child, -1);
        count(other, 1);
    }

    private static boolean replace(Object[] slots, int hash, Object child, Object other) {
        int mask = slots.length - 1;
        if (mask >= 0) {
            for (int i = hash & mask; slots[i] != null; i = (i + 1) & mask) {
                if (slots[i] == child) {
                    SLOT.setRelease(slots, i, other);
                    return true;
                }
            }
        }
        return false;
    }

    /** Frees tombstones at the end of a probe sequence. */
    private void tidy(int hash) {
        Object[] slots = table;
        int mask = slots.length - 1;
        if (mask < 0) {
            return;
        }
        int end = hash & mask;
        while (slots[end] != null) {
            end = (end + 1) & mask;
        }
        for (int i = (end - 1) & mask; slots[i] == REMOVED; i = (i - 1) & mask) {
            SLOT.setRelease(slots, i, null);
            occupied--;
        }
    }

    private void count(Object child, int sign) {
        if (child instanceof byte[] row) {
            rows += sign;
            rowBytes += sign * Footprint.row(row);
        }
    }

    /** Replaces the table with one without tombstones; readers of the old one still find its children. */
    private void replaceTable() {
        move(former.length);
        Object[] old = table;
        former = old;
        occupied = 0;
        table = new Object[sizeOfNext()];
        move(old.length <= MOVED_AT_ONCE ? old.length : MOVED_PER_CHANGE);
    }

    /** Moves the children in some slots of the former table. */
    private void move(int slots) {
        Object[] from = former;
        int end = Math.min(from.length, moved + slots);
        for (; moved < end; moved++) {
            Object child = from[moved];
            if (child != null && child != REMOVED) {
                insert(child);
                SLOT.setRelease(from, moved, REMOVED);
            }
        }
        if (moved == from.length) {
            former = NONE;
            moved = 0;
        }
    }

    private void insert(Object child) {
        Object[] slots = table;
        int mask = slots.length - 1;
        int i = spread(hash(child)) & mask;
        while (slots[i] != null && slots[i] != REMOVED) {
            i = (i + 1) & mask;
        }
        occupied += slots[i] == null ? 1 : 0;
        SLOT.setRelease(slots, i, child);
    }

    private static int hash(Object child) {
        return child instanceof byte[] row
                ? INodeEncoding.nameHash(row)
                : ((TrieNode) child).name().hashCode();
    }

    private static int spread(int nameHash) {
        int h = nameHash * 0x9e3779b9;
        return h ^ (h >>> 16);
    }

    /** Returns the number of children, nodes and rows together. */
    int live() {
        return live;
    }

    int rows() {
        return rows;
    }

    long rowBytes() {
        return rowBytes;
    }

    long tableBytes() {
        return Footprint.table(table.length) + Footprint.table(former.length);
    }

    int slots() {
        return table.length + former.length;
    }

    /** Returns the child in a slot; null if there is none. */
    @Nullable
    Object childAt(int slot) {
        Object[] here = table;
        Object found = slot < here.length ? here[slot] : former[slot - here.length];
        return found == REMOVED ? null : found;
    }
}
