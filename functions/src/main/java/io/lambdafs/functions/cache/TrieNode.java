package io.lambdafs.functions.cache;

import io.lambdafs.model.inode.INode;
import org.jspecify.annotations.Nullable;

/**
 * A path component with cached children or content; others are rows of {@link Children}. Read without a lock; changed
 * only under the trie's mutex, which guards the plain fields too. {@code used} is the exception: readers set it and the
 * clock clears it; a lost update only makes an eviction early or late.
 */
final class TrieNode {
    private final String name;
    private final @Nullable TrieNode parent;
    private volatile @Nullable INode inode;
    private volatile byte @Nullable [] content;
    private volatile @Nullable Children below;
    private boolean used;

    /** Neighbours in the {@link Clock}; both null while outside it. */
    @Nullable
    TrieNode previous;

    @Nullable
    TrieNode next;

    /** Bytes accounted for this node. */
    long cost;

    /** Flags of the items counted by the clock. */
    byte counted;

    /** Number of rows below it counted by the clock. */
    int countedRows;

    TrieNode(String name, @Nullable TrieNode parent) {
        this.name = name;
        this.parent = parent;
    }

    String name() {
        return name;
    }

    /** Null for the root. */
    @Nullable
    TrieNode parent() {
        return parent;
    }

    @Nullable
    INode inode() {
        return inode;
    }

    void inode(@Nullable INode value) {
        inode = value;
    }

    byte @Nullable [] content() {
        return content;
    }

    void content(byte @Nullable [] value) {
        content = value;
    }

    /** Returns the cached children, whatever directory id they belong to. */
    @Nullable
    Children below() {
        return below;
    }

    void below(@Nullable Children value) {
        below = value;
    }

    /** Returns the cached children if they belong to the directory with this id. */
    @Nullable
    Children belowOf(INode directory) {
        Children here = below;
        return here != null && here.directoryId() == directory.id() ? here : null;
    }

    /** Marks the node as used; writes only if that changes it, so that cores do not contend for the cache line. */
    void touch() {
        if (!used) {
            used = true;
        }
    }

    /** Returns whether the node was used since the last call, and clears the mark. */
    boolean takeUsed() {
        boolean was = used;
        used = false;
        return was;
    }

    /** Returns whether nothing is cached here or below. */
    boolean isBare() {
        Children here = below;
        return inode == null && (here == null || (here.live() == 0 && here.listing() == null));
    }
}
