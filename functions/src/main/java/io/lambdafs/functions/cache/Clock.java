package io.lambdafs.functions.cache;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Accounts for the memory of trie nodes and evicts by the clock algorithm, an approximation of LRU. The hand visits
 * nodes in insertion order, and at each node the rows below it; items touched by a walk since the last visit are spared
 * once. A directory is evicted only after everything below it; an unused listing may go alone. The root's INode stays.
 * Subtrees cut off by an invalidation are reclaimed first, a slot per step, and count until then. Guarded by the trie's
 * mutex.
 */
final class Clock {
    /** A cut-off table of children and its reclaim progress. */
    private static final class CutOff {
        final Children below;
        final long bytes;
        int at;

        CutOff(Children below) {
            this.below = below;
            this.bytes = Footprint.below(below);
        }
    }

    private static final int INODE = 1;
    private static final int CONTENT = 2;
    private static final int LISTING = 4;
    /** Maximum slots passed per step. */
    private static final int SLOTS = 16;

    private final Deque<CutOff> cutOff = new ArrayDeque<>();
    private @Nullable TrieNode hand;
    private long bytes;
    private long inodes;
    private long contents;
    private long listings;
    private long evictions;

    long bytes() {
        return bytes;
    }

    long inodes() {
        return inodes;
    }

    long contents() {
        return contents;
    }

    long listings() {
        return listings;
    }

    long evictions() {
        return evictions;
    }

    /** Starts accounting for an attached node; the hand reaches it last. */
    void enter(TrieNode node) {
        TrieNode at = hand;
        if (at == null) {
            node.previous = node;
            node.next = node;
            hand = node;
        } else {
            TrieNode before = Objects.requireNonNull(at.previous);
            node.previous = before;
            node.next = at;
            before.next = node;
            at.previous = node;
        }
        account(node);
    }

    /** Updates the account of a changed node. */
    void account(TrieNode node) {
        Children below = node.below();
        discount(node);
        node.cost = Footprint.node(node);
        int items = (node.inode() == null ? 0 : INODE)
                | (node.content() == null ? 0 : CONTENT)
                | (below == null || below.listing() == null ? 0 : LISTING);
        node.counted = (byte) items;
        node.countedRows = below == null ? 0 : below.rows();
        bytes += node.cost;
        inodes += node.countedRows;
        count(items, 1);
    }

    private void discount(TrieNode node) {
        bytes -= node.cost;
        inodes -= node.countedRows;
        count(node.counted, -1);
        node.cost = 0;
        node.counted = 0;
        node.countedRows = 0;
    }

    private void count(int items, int sign) {
        inodes += (items & INODE) == 0 ? 0 : sign;
        contents += (items & CONTENT) == 0 ? 0 : sign;
        listings += (items & LISTING) == 0 ? 0 : sign;
    }

    /** Forgets all nodes; the eviction counter stays. */
    void reset() {
        cutOff.clear();
        hand = null;
        bytes = 0;
        inodes = 0;
        contents = 0;
        listings = 0;
    }

    /** Stops accounting for a detached node, and leaves everything below it to {@link #step}. */
    void leave(TrieNode node) {
        TrieNode before = node.previous;
        TrieNode after = node.next;
        if (before == null || after == null) {
            return;
        }
        if (hand == node) {
            hand = after == node ? null : after;
        }
        before.next = after;
        after.previous = before;
        node.previous = null;
        node.next = null;
        discount(node);
        cut(node.below());
    }

    /**
     * Takes over the children cached below a directory that has been replaced, to be reclaimed by {@link #step}. If
     * there are only rows, they are simply dropped.
     */
    void cut(@Nullable Children below) {
        if (below != null && below.live() > below.rows()) {
            CutOff subtree = new CutOff(below);
            bytes += subtree.bytes;
            cutOff.add(subtree);
        }
    }

    /** Returns whether the hand is at a node or at the rows below it. */
    @SuppressWarnings("ReferenceEquality")
    boolean isAt(TrieNode node) {
        return hand == node;
    }

    boolean hasCutOff() {
        return !cutOff.isEmpty();
    }

    /** Does one small step of work: reclaims a cut-off slot, or else advances the hand by one. */
    void step() {
        if (!cutOff.isEmpty()) {
            reclaim();
        } else if (hand != null) {
            visit(hand);
        }
    }

    private void reclaim() {
        CutOff first = cutOff.getLast();
        if (first.at == first.below.slots()) {
            cutOff.removeLast();
            bytes -= first.bytes;
            return;
        }
        if (first.below.childAt(first.at++) instanceof TrieNode child) {
            leave(child);
        }
    }

    private void visit(TrieNode node) {
        Children below = node.below();
        if (below != null && below.rows() > 0 && sweep(node, below)) {
            return;
        }
        hand = node.next;
        if (below != null && below.listing() != null && !below.takeListingUsed()) {
            below.listing(null);
            evictions++;
            account(node);
        }
        boolean used = node.takeUsed();
        if (used || node.parent() == null || (below != null && (below.live() > 0 || below.listing() != null))) {
            return;
        }
        evictions++;
        node.inode(null);
        node.content(null);
        prune(node);
    }

    /** Visits the next row of a directory, or skips a few slots without one; returns false at the end of the table. */
    private boolean sweep(TrieNode node, Children below) {
        for (int i = 0; i < SLOTS; i++) {
            if (below.swept >= below.slots()) {
                below.swept = 0;
                return false;
            }
            if (below.childAt(below.swept++) instanceof byte[] row) {
                if (!INodeEncoding.takeUsed(row)) {
                    below.remove(row);
                    evictions++;
                    account(node);
                }
                return true;
            }
        }
        return true;
    }

    /** Detaches an empty node and every ancestor that becomes empty. */
    void prune(TrieNode bare) {
        TrieNode node = bare;
        TrieNode parent = node.parent();
        while (parent != null && node.isBare()) {
            detach(node, parent);
            node = parent;
            parent = node.parent();
        }
    }

    /** Detaches a node with all below it. */
    void detach(TrieNode node, TrieNode parent) {
        Children siblings = parent.below();
        if (siblings != null) {
            siblings.remove(node);
        }
        leave(node);
        account(parent);
    }
}
