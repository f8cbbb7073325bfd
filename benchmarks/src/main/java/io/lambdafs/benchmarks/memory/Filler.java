package io.lambdafs.benchmarks.memory;

import io.lambdafs.functions.cache.Fill;
import io.lambdafs.functions.cache.Listing;
import io.lambdafs.functions.cache.PathTrie;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.INode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Fills a cache with copies of a sample below numbered directories, with the calls of a NameNode that reads them from
 * the store: every INode has strings of its own, as if decoded from a row. Thread-safe if its trie and {@link
 * Publisher} are.
 */
final class Filler {
    private static final long BLOCK_SIZE = 128L << 20;
    private static final int REPLICATION = 3;
    /** One file in this many has another owner, and one has another mode. */
    private static final int OTHERS = 7;

    private static final INode ROOT = INode.directory(0, "", INode.ROOT_ID, "root", "supergroup", 0755, 1);

    private final LocalSample sample;
    private final Publisher publisher;
    /** The number of each directory in a copy, before those of its files and subdirectories. */
    private final int[] numbers;

    private final List<List<Integer>> subdirectories = new ArrayList<>();

    /** Receives the fills. */
    interface Publisher {
        void publish(List<Fill> fills);
    }

    Filler(LocalSample sample, Publisher publisher) {
        this.sample = sample;
        this.publisher = publisher;
        this.numbers = new int[sample.directories().size()];
        int number = 0;
        for (int i = 0; i < numbers.length; i++) {
            LocalSample.Directory directory = sample.directories().get(i);
            numbers[i] = number;
            number += 1 + directory.files().size();
            subdirectories.add(new ArrayList<>());
            if (directory.parent() >= 0) {
                subdirectories.get(directory.parent()).add(i);
            }
        }
    }

    /** Returns a publisher into a trie alone. */
    static Publisher of(PathTrie trie) {
        return fills -> trie.publish(trie.ticket(), fills);
    }

    /** Returns the number of INodes that one copy has in a role. */
    int size(Role role) {
        return role == Role.LINKS ? sample.directories().size() : sample.size();
    }

    static FsPath top(int copy) {
        return FsPath.ROOT.child(String.format(Locale.ROOT, "copy-%06d", copy));
    }

    /** Fills in the copy with this number. */
    void fill(int copy, Role role) {
        publisher.publish(List.of(new Fill.Link(FsPath.ROOT, ROOT)));
        // Consecutive ids, as the store assigns them.
        long firstId = INode.FIRST_FREE_ID + (long) copy * sample.size();
        FsPath[] paths = new FsPath[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            LocalSample.Directory directory = sample.directories().get(i);
            int parent = directory.parent();
            paths[i] = parent < 0 ? top(copy) : paths[parent].child(anew(directory.name()));
            INode node = parent < 0
                    ? directory(INode.ROOT_ID, paths[i].name(), firstId, directory.mtime())
                    : directory(firstId, i);
            publisher.publish(List.of(new Fill.Link(paths[i], node)));
            for (int f = 0; role.hasEntries() && f < directory.files().size(); f++) {
                INode file = file(firstId, i, f);
                publisher.publish(List.of(new Fill.Entry(paths[i].child(anew(file.name())), file, null)));
            }
            if (role.hasListings()) {
                publisher.publish(List.of(new Fill.Children(paths[i], Listing.of(children(firstId, i)))));
            }
        }
    }

    private List<INode> children(long firstId, int directory) {
        List<INode> children = new ArrayList<>();
        for (int sub : subdirectories.get(directory)) {
            children.add(directory(firstId, sub));
        }
        for (int f = 0; f < sample.directories().get(directory).files().size(); f++) {
            children.add(file(firstId, directory, f));
        }
        return children;
    }

    private INode directory(long firstId, int index) {
        LocalSample.Directory directory = sample.directories().get(index);
        long parent = firstId + numbers[directory.parent()];
        return directory(parent, directory.name(), firstId + numbers[index], directory.mtime());
    }

    private INode file(long firstId, int directory, int index) {
        LocalSample.File file = sample.directories().get(directory).files().get(index);
        long parent = firstId + numbers[directory];
        return file(parent, file, parent + 1 + index);
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
                INode.Kind.FILE, owner, anew("users"), mode, REPLICATION, BLOCK_SIZE, INode.Content.ABSENT);
        return new INode(parent, anew(file.name()), id, traits, file.size(), file.mtime(), file.mtime(), 0);
    }
}
