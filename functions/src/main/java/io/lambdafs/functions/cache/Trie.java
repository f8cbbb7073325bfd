package io.lambdafs.functions.cache;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.INode;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a {@link PathTrie} and how they change. Changes are made under its mutex; {@link #root} and what hangs on it may be read
 * by anyone.
 */
final class Trie {
    /** Owner and group names that INodes share. */
    private static final int MAX_SHARED_NAMES = 4_096;
    /** A longer listing goes altogether when one of its children changes: copying it would keep others waiting. */
    private static final int MAX_COPIED = 4_096;

    private final Clock clock = new Clock();
    private final Map<String, String> sharedNames = new HashMap<>();
    private volatile TrieNode root = new TrieNode("", null);

    Trie() {
        clock.enter(root);
    }

    TrieNode root() {
        return root;
    }

    /** What accounts and evicts. */
    Clock clock() {
        return clock;
    }

    void clear() {
        root = new TrieNode("", null);
        clock.reset();
        clock.enter(root);
    }

    /** Adds or replaces an item; false if it may not be cached, or nothing leads to it. */
    boolean store(Fill fill) {
        if (fill instanceof Fill.Link link) {
            return link.node().isDirectory() && storeNode(link.path(), link.node(), null);
        }
        if (fill instanceof Fill.Entry entry) {
            return storeNode(entry.path(), entry.node(), entry.content());
        }
        Fill.Children children = (Fill.Children) fill;
        return storeListing(children.path(), children.listing());
    }

    private boolean storeNode(FsPath path, INode read, byte @Nullable [] content) {
        if (read.isFlagged() || !read.name().equals(path.name())) {
            return false;
        }
        TrieNode node = root;
        if (!path.isRoot()) {
            Reached parent = reach(path.parent());
            if (parent == null
                    || !parent.inode().isDirectory()
                    || parent.inode().id() != read.parentId()) {
                return false;
            }
            node = childOf(parent, read.name());
        }
        INode inode = Footprint.share(read, sharedNames, MAX_SHARED_NAMES);
        INode old = node.inode();
        if (content != null || old == null || old.id() != inode.id() || old.contentId() != inode.contentId()) {
            node.content(content);
        }
        node.inode(inode);
        Below below = node.below();
        if (below != null && below.directoryId() != inode.id()) {
            node.below(null);
            clock.cut(below);
        }
        clock.account(node);
        return true;
    }

    private boolean storeListing(FsPath path, Listing listing) {
        Reached directory = reach(path);
        if (directory == null
                || !directory.inode().isDirectory()
                || !listing.isPublishableUnder(directory.inode().id())) {
            return false;
        }
        belowOf(directory).listing(listing);
        clock.account(directory.node());
        return true;
    }

    /** A node and what its path names, from the node itself or its parent's listing. */
    private record Reached(TrieNode node, INode inode) {}

    /** The node of a path, made where only listings know it; null unless every INode down to it is known. */
    private @Nullable Reached reach(FsPath path) {
        INode rootInode = root.inode();
        Reached at = rootInode == null ? null : new Reached(root, rootInode);
        for (int i = 0; i < path.depth() && at != null; i++) {
            Below below = at.node().belowOf(at.inode());
            TrieNode child = below == null ? null : below.child(path.name(i));
            INode inode = child == null ? null : child.inode();
            Listing listing = below == null ? null : below.listing();
            if (inode == null && listing != null) {
                inode = listing.find(path.name(i));
            }
            if (inode == null) {
                return null;
            }
            at = new Reached(child == null ? childOf(at, inode.name()) : child, inode);
        }
        return at;
    }

    /** What is cached below a directory; what was cached below another of the same path goes. */
    private Below belowOf(Reached directory) {
        TrieNode node = directory.node();
        Below below = node.belowOf(directory.inode());
        if (below == null) {
            clock.cut(node.below());
            below = new Below(directory.inode().id());
            node.below(below);
        }
        return below;
    }

    private TrieNode childOf(Reached directory, String name) {
        Below below = belowOf(directory);
        TrieNode child = below.child(name);
        if (child == null) {
            child = new TrieNode(name, directory.node());
            below.add(child);
            clock.enter(child);
            clock.account(directory.node());
        }
        return child;
    }

    void removeEntry(FsPath path) {
        TrieNode node = find(path);
        if (node != null) {
            node.inode(null);
            node.content(null);
            clock.account(node);
            clock.prune(node);
        }
        removeFromListing(path);
    }

    /** The directory's listing is complete no more; what it says of the children that it names still stands. */
    void removeListing(FsPath path) {
        change(path, Listing::incomplete);
    }

    private void removeFromListing(FsPath path) {
        if (!path.isRoot()) {
            String name = path.name();
            change(
                    path.parent(),
                    listing ->
                            listing.size() > MAX_COPIED && listing.find(name) != null ? null : listing.without(name));
        }
    }

    private void change(FsPath directory, Function<Listing, @Nullable Listing> change) {
        TrieNode node = find(directory);
        Below below = node == null ? null : node.below();
        Listing listing = below == null ? null : below.listing();
        if (node != null && below != null && listing != null) {
            Listing rest = change.apply(listing);
            below.listing(rest == null || rest.size() == 0 ? null : rest);
            clock.account(node);
            clock.prune(node);
        }
    }

    void removeSubtree(FsPath path) {
        TrieNode node = find(path);
        TrieNode parent = node == null ? null : node.parent();
        if (node != null && parent != null) {
            clock.detach(node, parent);
            clock.prune(parent);
        } else if (node != null) {
            clock.cut(node.below());
            node.below(null);
            node.inode(null);
            clock.account(node);
        }
        removeFromListing(path);
    }

    /** The node of a path, reachable for walks or not. */
    private @Nullable TrieNode find(FsPath path) {
        TrieNode node = root;
        for (int i = 0; i < path.depth() && node != null; i++) {
            Below below = node.below();
            node = below == null ? null : below.child(path.name(i));
        }
        return node;
    }
}
