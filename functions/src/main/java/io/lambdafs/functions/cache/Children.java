package io.lambdafs.functions.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What is cached below one directory, named by its INode's id: its children, in an open-addressing hash table, and perhaps the
 * complete listing. A child with something of its own, content or what is below it, is a {@link TrieNode}; any other one a row of
 * {@link PackedINode}. Bound to the id so that another directory of the same path does not inherit it. Any number of readers without
 * a lock beside one writer at a time: a reader may miss what is just being added or moved, and find what is just being removed.
 */
final class Children {
    /** Stands where a child was removed, so that probing goes on. */
    private static final Object REMOVED = new Object();

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);
    private static final Object[] NONE = new Object[0];
    /** Slots of a table that has any. */
    static final int SMALLEST = 4;

    /** A larger table is replaced step by step, for as long as it takes nobody else gets the mutex. */
    private static final int MOVED_AT_ONCE = 1_024;

    private static final int MOVED_PER_CHANGE = 64;

    private final long directoryId;
    private volatile @Nullable Listing listing;
    private volatile Object[] table = NONE;
    /** The table before this one while its children are being moved; those at indices below {@code moved} have been. */
    private volatile Object[] former = NONE;

    private int moved;
    private int occupied;
    private int live;
    private int rows;
    private long rowBytes;
    private boolean listingUsed;
    /** Where the {@link Clock} goes on; its own. */
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

    /** A {@link TrieNode}, or a row. */
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
            return PackedINode.isNamed(row, name);
        }
        return child instanceof TrieNode node && node.name().equals(name);
    }

    /** Adds a child whose name is not there. */
    void add(Object child) {
        move(MOVED_PER_CHANGE);
        if (isFull()) {
            replaceTable();
        }
        insert(child);
        live++;
        count(child, 1);
    }

    /** Half full: a name that is not there takes 1.5 probes then, each of which is a place in memory to be fetched; at three quarters, 3.5. */
    private boolean isFull() {
        return (occupied + 1) * 2L > table.length;
    }

    /** A power of two, at most 2/5 full. */
    private int sizeOfNext() {
        return Math.max(SMALLEST, Integer.highestOneBit(live * 5 / 2) * 2);
    }

    /** Bytes of the table that the next child to be added makes necessary; 0 for none. */
    long growth() {
        return isFull() ? Footprint.table(sizeOfNext()) : 0;
    }

    /** Removes a child that is there. */
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

    /** Puts another one of the same name into the place of a child that is there. */
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

    /** Frees the slots of removed children where probing from this hash on ends anyway. */
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

    /** A new table without the removed: readers of the old one still find what was there. */
    private void replaceTable() {
        move(former.length);
        Object[] old = table;
        former = old;
        occupied = 0;
        table = new Object[sizeOfNext()];
        move(old.length <= MOVED_AT_ONCE ? old.length : MOVED_PER_CHANGE);
    }

    /** Moves what is in some of the slots of the former table. */
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
                ? PackedINode.nameHash(row)
                : ((TrieNode) child).name().hashCode();
    }

    private static int spread(int nameHash) {
        int h = nameHash * 0x9e3779b9;
        return h ^ (h >>> 16);
    }

    /** Number of children, nodes and rows. */
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

    /** The child in a slot; null if there is none. */
    @Nullable
    Object childAt(int slot) {
        Object[] here = table;
        Object found = slot < here.length ? here[slot] : former[slot - here.length];
        return found == REMOVED ? null : found;
    }
}
