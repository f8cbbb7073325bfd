package io.lambdafs.functions.cache;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import java.util.List;

/** Makes INodes and paths for tests of the cache. */
final class Nodes {
    static final INode ROOT = INode.directory(0, "", INode.ROOT_ID, "root", "supergroup", 0755, 1);

    private Nodes() {}

    static INode dir(long parentId, String name, long id) {
        return INode.directory(parentId, name, id, "alice", "staff", 0755, 1);
    }

    static INode file(long parentId, String name, long id, long contentId) {
        INode.Traits traits =
                new INode.Traits(INode.Kind.FILE, "alice", "staff", 0644, 1, 1 << 20, INode.Content.INLINE);
        return new INode(parentId, name, id, traits, 3, 1, 1, contentId);
    }

    static FsPath path(String text) {
        return FsPath.of(text);
    }

    static Fill link(String path, INode node) {
        return new Fill.Link(path(path), node);
    }

    static Fill entry(String path, INode node) {
        return new Fill.Entry(path(path), node, null);
    }

    static Fill children(String path, INode... nodes) {
        return new Fill.Children(path(path), Listing.of(List.of(nodes)));
    }

    static PathTrie open(CacheLimits limits) {
        PathTrie trie = new PathTrie(limits);
        trie.open();
        return trie;
    }
}
