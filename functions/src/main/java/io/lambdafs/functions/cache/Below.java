package io.lambdafs.functions.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is cached below one directory, named by its INode's id: nodes of children, in an open-addressing hash table, and perhaps the
 * complete listing. Bound to the id so that another directory of the same path does not inherit it. Any number of readers without
 * a lock beside one writer at a time: a reader may miss what is just being added, and find what is just being removed.
 */
final class Below {
    /** Stands where a child was removed, so that probing goes on. */
    private static final TrieNode REMOVED = new TrieNode("", null);

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(TrieNode[].class);
    private static final TrieNode[] NONE = new TrieNode[0];
    private static final int SMALLEST = 4;

    private final long directoryId;
    private volatile @Nullable Listing listing;
    private volatile TrieNode[] table = NONE;
    private int occupied;
    private int live;
    private boolean listingUsed;

    Below(long directoryId) {
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

    @Nullable
    TrieNode child(String name) {
        TrieNode[] slots = table;
        int mask = slots.length - 1;
        if (mask < 0) {
            return null;
        }
        for (int i = spread(name) & mask; ; i = (i + 1) & mask) {
            TrieNode found = (TrieNode) SLOT.getAcquire(slots, i);
            if (found == null) {
                return null;
            }
            if (found != REMOVED && found.name().equals(name)) {
                return found;
            }
        }
    }

    /** Adds a child whose name is not there. */
    void add(TrieNode child) {
        if ((occupied + 1) * 4 > table.length * 3) {
            grow();
        }
        insert(table, child);
        occupied++;
        live++;
    }

    /** Removes a child that is there. */
    void remove(TrieNode child) {
        TrieNode[] slots = table;
        int mask = slots.length - 1;
        for (int i = spread(child.name()) & mask; slots[i] != null; i = (i + 1) & mask) {
            if (slots[i] == child) {
                SLOT.setRelease(slots, i, REMOVED);
                live--;
                break;
            }
        }
        if (live == 0) {
            table = NONE;
            occupied = 0;
        }
    }

    /** A new table without the removed, at most half full: readers of the old one still find what was there. */
    private void grow() {
        int size = Math.max(SMALLEST, Integer.highestOneBit(live * 2 + 1) * 2);
        TrieNode[] larger = new TrieNode[size];
        for (TrieNode node : table) {
            if (node != null && node != REMOVED) {
                insert(larger, node);
            }
        }
        table = larger;
        occupied = live;
    }

    private static void insert(TrieNode[] slots, TrieNode child) {
        int mask = slots.length - 1;
        int i = spread(child.name()) & mask;
        while (slots[i] != null) {
            i = (i + 1) & mask;
        }
        SLOT.setRelease(slots, i, child);
    }

    private static int spread(String name) {
        int h = name.hashCode() * 0x9e3779b9;
        return h ^ (h >>> 16);
    }

    /** Number of children with a node. */
    int live() {
        return live;
    }

    int slots() {
        return table.length;
    }

    /** The child in a slot; null if there is none. */
    @Nullable
    TrieNode childAt(int slot) {
        TrieNode found = table[slot];
        return found == null || found == REMOVED ? null : Objects.requireNonNull(found);
    }
}
