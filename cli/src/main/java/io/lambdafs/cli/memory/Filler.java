package io.lambdafs.cli.memory;

import io.lambdafs.functions.cache.Fill;
import io.lambdafs.functions.cache.Listing;
import io.lambdafs.functions.cache.PathTrie;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.INode;
import java.util.ArrayList;
import java.util.List;

/**
 * Fills a cache with copies of a sample below numbered directories, call by call as a NameNode does that reads them from the store:
 * every INode with strings of its own, as a row that has been read has. Thread-safe where its trie and {@link Publisher} are.
 */
final class Filler {
    private static final long BLOCK_SIZE = 128L << 20;
    private static final int REPLICATION = 3;
    /** One file in so many belongs to somebody else, one in so many has another mode. */
    private static final int OTHERS = 7;

    private static final INode ROOT = INode.directory(0, "", INode.ROOT_ID, "root", "supergroup", 0755, 1);

    private final LocalSample sample;
    private final Publisher publisher;

    /** What takes the fills. */
    interface Publisher {
        void publish(List<Fill> fills);
    }

    Filler(LocalSample sample, Publisher publisher) {
        this.sample = sample;
        this.publisher = publisher;
    }

    /** Of a trie alone. */
    static Publisher of(PathTrie trie) {
        return fills -> trie.publish(trie.ticket(), fills);
    }

    /** INodes that one copy has in a role. */
    int size(Role role) {
        return role == Role.LINKS ? sample.directories().size() : sample.size();
    }

    static FsPath top(int copy) {
        return FsPath.ROOT.child(String.format("copy-%06d", copy));
    }

    /** Fills the copy of a number. */
    void fill(int copy, Role role) {
        publisher.publish(List.of(new Fill.Link(FsPath.ROOT, ROOT)));
        List<LocalSample.Directory> directories = sample.directories();
        List<List<INode>> children = new ArrayList<>();
        INode[] nodes = new INode[directories.size()];
        FsPath[] paths = new FsPath[nodes.length];
        // Ids as the store gives them: one after the other, to whoever creates.
        long id = INode.FIRST_FREE_ID + (long) copy * sample.size();
        for (int i = 0; i < nodes.length; i++) {
            LocalSample.Directory directory = directories.get(i);
            boolean top = directory.parent() < 0;
            long parent = top ? INode.ROOT_ID : nodes[directory.parent()].id();
            paths[i] = top ? top(copy) : paths[directory.parent()].child(directory.name());
            nodes[i] = directory(parent, paths[i].name(), id++, directory.mtime());
            publisher.publish(List.of(new Fill.Link(paths[i], nodes[i])));
            children.add(new ArrayList<>());
            if (!top) {
                children.get(directory.parent())
                        .add(directory(parent, paths[i].name(), nodes[i].id(), directory.mtime()));
            }
            if (role != Role.LINKS) {
                for (LocalSample.File file : directory.files()) {
                    INode node = file(nodes[i].id(), file, id++);
                    children.get(i).add(node);
                    if (role.hasEntries()) {
                        publisher.publish(List.of(new Fill.Entry(paths[i].child(file.name()), node, null)));
                    }
                }
            }
        }
        for (int i = 0; i < nodes.length && role.hasListings(); i++) {
            List<INode> own = role == Role.BOTH ? anew(children.get(i)) : children.get(i);
            publisher.publish(List.of(new Fill.Children(paths[i], Listing.of(own))));
        }
    }

    /** As another read of the store would give them. */
    private static List<INode> anew(List<INode> nodes) {
        return nodes.stream()
                .map(node -> node.withLocation(node.parentId(), anew(node.name())))
                .toList();
    }

    private static String anew(String text) {
        return String.valueOf(text.toCharArray());
    }

    private static INode directory(long parent, String name, long id, long time) {
        return INode.directory(parent, anew(name), id, anew("alice"), anew("users"), 0755, time);
    }

    private static INode file(long parent, LocalSample.File file, long id) {
        String owner = anew(id % OTHERS == 0 ? "bob" : "alice");
        int mode = id % OTHERS == 1 ? 0755 : 0644;
        INode.Traits traits = new INode.Traits(
                INode.Kind.FILE, owner, anew("users"), mode, REPLICATION, BLOCK_SIZE, INode.Content.ABSENT, 0, 0);
        return new INode(parent, anew(file.name()), id, traits, file.size(), file.mtime(), file.mtime(), 0);
    }
}
