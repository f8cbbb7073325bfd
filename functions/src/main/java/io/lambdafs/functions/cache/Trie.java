package io.lambdafs.functions.cache;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The data structure of a {@link PathTrie}: its nodes and their updates. Changed under its mutex only; {@link #tree}
 * and everything reachable from it may be read by any thread.
 */
final class Trie {
    /** A listing is copied under the mutex for a name for each of so many children: a longer one for several at once. */
    private static final int CHILDREN_PER_NAME = 4_096;

    private final Clock clock = new Clock();
    private final long maxTraitBytes;
    private volatile Tree tree;

    /** The root and the traits its rows refer to by number, kept together for readers of a replaced tree. */
    record Tree(TrieNode root, SharedTraits traits) {
        /** Decodes a row found in a directory's table under a name, and marks it as used. */
        INode touch(byte[] row, Children below, String name) {
            INodeEncoding.touch(row);
            return INodeEncoding.inRow(row, below.directoryId(), name, traits.all());
        }
    }

    /** Creates an empty trie with a limit on the bytes of shared traits. */
    Trie(long maxTraitBytes) {
        this.maxTraitBytes = maxTraitBytes;
        this.tree = empty();
    }

    private Tree empty() {
        Tree empty = new Tree(new TrieNode("", null), new SharedTraits(maxTraitBytes));
        clock.enter(empty.root());
        return empty;
    }

    Tree tree() {
        return tree;
    }

    /** Returns the clock, which accounts and evicts. */
    Clock clock() {
        return clock;
    }

    /** Returns the estimated memory of everything cached, in bytes. */
    long bytes() {
        return clock.bytes() + tree.traits().bytes();
    }

    /** Returns the maximum bytes that a fill adds. */
    long need(Fill fill) {
        FsPath path = fill.path();
        TrieNode parent = path.isRoot() || fill.isOfListing() ? null : find(path, path.depth() - 1);
        Children siblings = parent == null ? null : parent.below();
        return Footprint.of(fill) + (siblings == null ? 0 : siblings.growth());
    }

    /** Drops everything, including shared traits. */
    void clear() {
        clock.reset();
        tree = empty();
    }

    /** Adds or replaces an item; returns false if it may not be cached or its parent is not. */
    boolean store(Fill fill) {
        if (fill instanceof Fill.Link link) {
            return link.node().isDirectory() && storeNode(link.path(), link.node(), null);
        }
        if (fill instanceof Fill.Entry entry) {
            return storeNode(entry.path(), entry.node(), entry.content());
        }
        if (fill instanceof Fill.Names names) {
            return storeNames(names);
        }
        Fill.Children children = (Fill.Children) fill;
        return storeListing(children.path(), children.listing());
    }

    private boolean storeNode(FsPath path, INode read, byte @Nullable [] content) {
        if (read.isFlagged() || !read.name().equals(path.name())) {
            return false;
        }
        if (path.isRoot()) {
            change(tree.root(), read, null);
            return true;
        }
        Reached parent = reach(path, path.depth() - 1);
        if (parent == null || parent.inode().id() != read.parentId()) {
            return false;
        }
        Children below = belowOf(parent);
        Object child = below.child(read.name());
        int number = child instanceof TrieNode || content != null
                ? -1
                : tree.traits().number(read.traits());
        if (number < 0) {
            change(child instanceof TrieNode node ? node : nodeOf(parent, read.name()), read, content);
        } else {
            putRow(parent.node(), below, child, INodeEncoding.row(read, number));
        }
        return true;
    }

    private void putRow(TrieNode parent, Children below, @Nullable Object before, byte[] row) {
        if (before == null) {
            below.add(row);
        } else {
            below.replace(before, row);
        }
        if (clock.isAt(parent) || (before instanceof byte[] old && INodeEncoding.takeUsed(old))) {
            // Marked as used: otherwise the hand, if just passing, would evict the new item at once.
            INodeEncoding.touch(row);
        }
        clock.account(parent);
    }

    private void change(TrieNode node, INode read, byte @Nullable [] content) {
        INode inode = read.withTraits(tree.traits().share(read.traits()));
        INode old = node.inode();
        if (content != null || old == null || old.id() != inode.id() || old.contentId() != inode.contentId()) {
            node.content(content);
        }
        node.inode(inode);
        Children below = node.below();
        if (below != null && below.directoryId() != inode.id()) {
            node.below(null);
            clock.cut(below);
        }
        clock.account(node);
    }

    private boolean storeListing(FsPath path, Listing listing) {
        Reached directory = reach(path, path.depth());
        if (directory == null || !listing.isPublishableUnder(directory.inode().id())) {
            return false;
        }
        belowOf(directory).listing(listing.sharing(tree.traits()));
        clock.account(directory.node());
        return true;
    }

    /** Completes a cached listing by names; one that becomes too different is dropped. */
    private boolean storeNames(Fill.Names names) {
        TrieNode node = find(names.path(), names.path().depth());
        Children below = node == null ? null : node.below();
        Listing listing = below == null ? null : below.listing();
        int count = names.children().size();
        if (node == null || below == null || listing == null || listing.size() > CHILDREN_PER_NAME * count) {
            return count == 0;
        }
        Listing after = listing.with(names.children());
        if (after != null && !after.isPublishableUnder(below.directoryId())) {
            return false;
        }
        below.listing(after == null ? null : after.sharing(tree.traits()));
        clock.account(node);
        clock.prune(node);
        return after != null;
    }

    /** A trie node and its INode. */
    private record Reached(TrieNode node, INode inode) {}

    /**
     * Returns the node of the first components of a path, created if only a row or a listing has it; null unless every
     * INode down to it is known and is a directory.
     */
    private @Nullable Reached reach(FsPath path, int depth) {
        TrieNode root = tree.root();
        INode rootInode = root.inode();
        Reached at = rootInode == null || !rootInode.isDirectory() ? null : new Reached(root, rootInode);
        for (int i = 0; i < depth && at != null; i++) {
            at = reach(at, path.name(i));
        }
        return at;
    }

    private @Nullable Reached reach(Reached parent, String name) {
        Children below = parent.node().belowOf(parent.inode());
        if (below == null) {
            return null;
        }
        Object child = below.child(name);
        INode inode = child instanceof TrieNode node ? node.inode() : null;
        if (child instanceof byte[] row) {
            inode = INodeEncoding.inRow(
                    row, below.directoryId(), name, tree.traits().all());
        }
        Listing listing = below.listing();
        if (inode == null && listing != null) {
            inode = listing.find(name);
        }
        if (inode == null || !inode.isDirectory()) {
            return null;
        }
        TrieNode node = child instanceof TrieNode there ? there : nodeOf(parent, name);
        if (node.inode() == null) {
            node.inode(inode);
            clock.account(node);
        }
        return new Reached(node, inode);
    }

    /** Returns the children of a directory, dropping those of another directory at the same path. */
    private Children belowOf(Reached directory) {
        TrieNode node = directory.node();
        Children below = node.belowOf(directory.inode());
        if (below == null) {
            clock.cut(node.below());
            below = new Children(directory.inode().id());
            node.below(below);
        }
        return below;
    }

    /** Returns the node of a child, replacing its row if there is one. */
    private TrieNode nodeOf(Reached directory, String name) {
        Children below = belowOf(directory);
        Object child = below.child(name);
        if (child instanceof TrieNode there) {
            return there;
        }
        TrieNode node = new TrieNode(name, directory.node());
        if (child instanceof byte[] row) {
            node.inode(INodeEncoding.inRow(
                    row, below.directoryId(), name, tree.traits().all()));
            if (INodeEncoding.takeUsed(row)) {
                node.touch();
            }
            below.replace(row, node);
        } else {
            below.add(node);
        }
        clock.enter(node);
        clock.account(directory.node());
        return node;
    }

    void removeEntry(FsPath path) {
        TrieNode node = find(path, path.depth());
        if (node != null) {
            node.inode(null);
            node.content(null);
            clock.account(node);
            clock.prune(node);
        } else {
            removeRow(path);
        }
        removeFromListing(path);
    }

    private void removeRow(FsPath path) {
        TrieNode parent = find(path, path.depth() - 1);
        Children below = parent == null ? null : parent.below();
        Object child = below == null ? null : below.child(path.name());
        if (parent != null && below != null && child != null) {
            below.remove(child);
            clock.account(parent);
            clock.prune(parent);
        }
    }

    /** Makes a directory's listing incomplete, whatever its names; the children it contains remain valid. */
    void removeListing(FsPath path) {
        change(path, path.depth(), Listing::incomplete);
    }

    private void removeFromListing(FsPath path) {
        if (!path.isRoot()) {
            change(path, path.depth() - 1, listing -> listing.without(List.of(path.name())));
        }
    }

    private void change(FsPath path, int depth, Function<Listing, @Nullable Listing> change) {
        TrieNode node = find(path, depth);
        Children below = node == null ? null : node.below();
        Listing listing = below == null ? null : below.listing();
        if (node != null && below != null && listing != null) {
            Listing rest = change.apply(listing);
            below.listing(rest == null || (rest.size() == 0 && !rest.isCompleteButForNames()) ? null : rest);
            clock.account(node);
            clock.prune(node);
        }
    }

    void removeSubtree(FsPath path) {
        TrieNode node = find(path, path.depth());
        TrieNode parent = node == null ? null : node.parent();
        if (node == null) {
            removeRow(path);
        } else if (parent != null) {
            clock.detach(node, parent);
            clock.prune(parent);
        } else {
            clock.cut(node.below());
            node.below(null);
            node.inode(null);
            clock.account(node);
        }
        removeFromListing(path);
    }

    /** Returns the node of the first components of a path, whether reachable for walks or not. */
    private @Nullable TrieNode find(FsPath path, int depth) {
        TrieNode node = tree.root();
        for (int i = 0; i < depth && node != null; i++) {
            Children below = node.below();
            Object child = below == null ? null : below.child(path.name(i));
            node = child instanceof TrieNode next ? next : null;
        }
        return node;
    }
}
