package io.lambdafs.functions.cache;

import io.lambdafs.model.INode;
import org.jspecify.annotations.Nullable;

/**
 * What the cache knew along one path. An answer may be made of it only if {@link PathTrie#isCurrent} still holds for
 * {@link #version()} after the answer has been made. Immutable.
 */
public final class Walk {
    private final long version;
    private final INode[] nodes;
    private final int known;
    private final boolean absent;
    private final byte @Nullable [] content;
    private final @Nullable Listing listing;

    Walk(long version, INode[] nodes, int known, boolean absent, byte @Nullable [] content, @Nullable Listing listing) {
        this.version = version;
        this.nodes = nodes;
        this.known = known;
        this.absent = absent;
        this.content = content;
        this.listing = listing;
    }

    public long version() {
        return version;
    }

    /** How many INodes from the root are known: 0 means not even the root, the path's depth + 1 means all. */
    public int known() {
        return known;
    }

    /**
     * An INode on the path.
     *
     * @param depth 0 for the root; less than {@link #known()}
     */
    public INode node(int depth) {
        if (depth >= known) {
            throw new IndexOutOfBoundsException("depth " + depth + ", known " + known);
        }
        return nodes[depth];
    }

    /** Whether all of the path is known. */
    public boolean isComplete() {
        return known == nodes.length;
    }

    /** Whether the first unknown component is known not to exist: its parent's listing is complete and lacks it. */
    public boolean isAbsent() {
        return absent;
    }

    /** The bytes of the file that the path names, when cached; not to be changed. */
    public byte @Nullable [] content() {
        return content;
    }

    /** The complete listing of the directory that the path names, when cached. */
    public @Nullable Listing listing() {
        return listing;
    }
}
