package io.lambdafs.functions.cache;

import io.lambdafs.model.INode;
import org.jspecify.annotations.Nullable;

/**
 * A path component with something of its own: below it, or its content; others are rows of {@link Children}. Read without a lock; changed only under the trie's mutex, which guards the plain fields too. {@code used} is
 * the exception: readers set it and the clock clears it, and a lost update costs no more than an eviction too early or too late.
 */
final class TrieNode {
    private final String name;
    private final @Nullable TrieNode parent;
    private volatile @Nullable INode inode;
    private volatile byte @Nullable [] content;
    private volatile @Nullable Children below;
    private boolean used;

    /** Neighbours in the {@link Clock}; both null while it is not in it. */
    @Nullable
    TrieNode previous;

    @Nullable
    TrieNode next;

    /** The bytes that are accounted for it. */
    long cost;

    /** Which of its items the clock has counted. */
    byte counted;

    /** How many rows below it the clock has counted. */
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

    /** What is cached below, under whatever id it was read. */
    @Nullable
    Children below() {
        return below;
    }

    void below(@Nullable Children value) {
        below = value;
    }

    /** What is cached below the directory of this id. */
    @Nullable
    Children belowOf(INode directory) {
        Children here = below;
        return here != null && here.directoryId() == directory.id() ? here : null;
    }

    /** Says that a walk came by; writes only where that changes something, so that cores do not fight for the line. */
    void touch() {
        if (!used) {
            used = true;
        }
    }

    /** Whether a walk came by since the last call. */
    boolean takeUsed() {
        boolean was = used;
        used = false;
        return was;
    }

    /** Whether nothing is cached here or below. */
    boolean isBare() {
        Children here = below;
        return inode == null && (here == null || (here.live() == 0 && here.listing() == null));
    }
}
