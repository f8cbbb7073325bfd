package io.lambdafs.functions.cache;

import io.lambdafs.model.inode.INode;
import org.jspecify.annotations.Nullable;

/**
 * The result of a cache lookup along one path. An answer built from it is valid only if {@link PathTrie#isCurrent}
 * still holds for {@link #version()} after the answer has been built. Immutable.
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

    /**
     * Returns the number of INodes known from the root on: 0 means not even the root, the path's depth + 1 means all.
     */
    public int known() {
        return known;
    }

    /**
     * Returns an INode on the path.
     *
     * @param depth 0 for the root; less than {@link #known()}
     */
    public INode node(int depth) {
        if (depth >= known) {
            throw new IndexOutOfBoundsException("depth " + depth + ", known " + known);
        }
        return nodes[depth];
    }

    /** Returns whether the whole path is known. */
    public boolean isComplete() {
        return known == nodes.length;
    }

    /**
     * Returns whether the first unknown component is known not to exist: its parent's listing proves it.
     */
    public boolean isAbsent() {
        return absent;
    }

    /** Returns the content of the file at the path, if cached; not to be changed. */
    public byte @Nullable [] content() {
        return content;
    }

    /** Returns the complete listing of the directory at the path, if cached. */
    public @Nullable Listing listing() {
        return listing != null && listing.isComplete() ? listing : null;
    }

    /** Returns the listing of the directory at the path, if one is cached that is complete but for names. */
    public @Nullable Listing listingButForNames() {
        return listing != null && listing.isCompleteButForNames() ? listing : null;
    }
}
