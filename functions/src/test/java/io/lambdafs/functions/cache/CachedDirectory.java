package io.lambdafs.functions.cache;

import static io.lambdafs.functions.cache.Nodes.ROOT;
import static io.lambdafs.functions.cache.Nodes.link;
import static io.lambdafs.functions.cache.Nodes.path;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import io.lambdafs.model.inode.INode;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** The store behind a trie in which everything has room. */
@Param(name = "file", gen = IntGen.class, conf = "0:1")
public class CachedDirectory {
    private static final FsPath DIRECTORY = path("/d");

    private final StoredDirectory store = new StoredDirectory();
    private final int contentBytes;
    final PathTrie trie;

    public CachedDirectory() {
        this(new CacheLimits(1 << 20, 16), 1);
    }

    CachedDirectory(CacheLimits limits, int contentBytes) {
        this.contentBytes = contentBytes;
        this.trie = Nodes.open(limits);
        read(0);
        read(1);
    }

    @Operation
    public String read(@Param(name = "file") int file) {
        while (true) {
            Walk walk = trie.walk(filePath(file));
            String answer = answer(walk);
            if (!isCurrent(walk)) {
                continue;
            }
            return answer == null ? readThrough(file) : answer;
        }
    }

    private static String answer(Walk walk) {
        if (walk.isComplete()) {
            long version = walk.node(2).contentId();
            byte[] content = walk.content();
            String mismatch = content == null || content[0] == version ? "" : " with content of " + content[0];
            return "directory " + walk.node(1).atime() + ", file " + version + mismatch;
        }
        return walk.isAbsent() && walk.known() == 2
                ? "directory " + walk.node(1).atime() + ", file 0"
                : null;
    }

    private String readThrough(int file) {
        Ticket early = trie.ticket();
        String answer;
        List<Fill> fills;
        synchronized (store) {
            answer = store.read(file);
            fills = fills(file);
        }
        trie.publish(ticket(early), fills);
        return answer;
    }

    @Operation
    public String list() {
        while (true) {
            Walk walk = trie.walk(DIRECTORY);
            Listing listing = walk.listing();
            String answer = listing == null ? null : answer(walk, listing);
            if (!isCurrent(walk)) {
                continue;
            }
            return answer == null ? listThrough() : answer;
        }
    }

    private static String answer(Walk walk, Listing listing) {
        INode first = listing.find("f0");
        INode second = listing.find("f1");
        return "directory " + walk.node(1).atime() + ", files " + (first == null ? 0 : first.contentId()) + " "
                + (second == null ? 0 : second.contentId());
    }

    private String listThrough() {
        Ticket early = trie.ticket();
        String answer;
        List<INode> children = new ArrayList<>();
        INode directory;
        synchronized (store) {
            answer = store.list();
            directory = store.directory();
            for (int i = 0; i < store.versions.length; i++) {
                if (store.versions[i] > 0) {
                    children.add(store.node(i));
                }
            }
        }
        trie.publish(
                ticket(early),
                List.of(link("/", ROOT), link("/d", directory), new Fill.Children(DIRECTORY, Listing.of(children))));
        return answer;
    }

    @Operation
    public void write(@Param(name = "file") int file) {
        lead(file, List.of(filePath(file)), () -> store.write(file));
    }

    /** The directory's attributes, which concern nobody below, and a file in one. */
    @Operation
    public void writeBoth(@Param(name = "file") int file) {
        lead(file, List.of(DIRECTORY, filePath(file)), () -> store.writeBoth(file));
    }

    /** Changes or creates a file, and publishes that as its leader does. */
    private void lead(int file, List<FsPath> entries, Runnable write) {
        Ticket ticket;
        List<Fill> fills;
        synchronized (store) {
            boolean created = store.versions[file] == 0;
            trie.invalidate(new Scope(entries, created ? List.of(DIRECTORY) : List.of()), List.of());
            ticket = trie.ticket();
            write.run();
            fills = fills(file);
        }
        trie.publish(ticket, fills);
    }

    @Operation
    public void remove(@Param(name = "file") int file) {
        synchronized (store) {
            trie.invalidate(new Scope(List.of(filePath(file)), List.of(DIRECTORY)), List.of());
            store.remove(file);
        }
    }

    @Operation
    public void chmod() {
        synchronized (store) {
            trie.invalidate(Scope.NONE, List.of(DIRECTORY));
            store.chmod();
        }
    }

    @Operation
    public void replace() {
        synchronized (store) {
            trie.invalidate(Scope.NONE, List.of(DIRECTORY));
            store.replace();
        }
    }

    /** The instance is fenced, and comes back. */
    @Operation
    public void rejoin() {
        trie.clear();
        trie.open();
    }

    private List<Fill> fills(int file) {
        List<Fill> fills = new ArrayList<>(List.of(link("/", ROOT), link("/d", store.directory())));
        if (store.versions[file] > 0) {
            // Of one file only: an entry without content is held in another way.
            byte[] content = file == 0 ? new byte[contentBytes] : null;
            if (content != null) {
                content[0] = (byte) store.versions[file];
            }
            fills.add(new Fill.Entry(filePath(file), store.node(file), content));
        }
        return fills;
    }

    private static FsPath filePath(int file) {
        return DIRECTORY.child("f" + file);
    }

    boolean isCurrent(Walk walk) {
        return trie.isCurrent(walk.version());
    }

    /** Under which a fill is published, given the ticket from before it was read. */
    Ticket ticket(Ticket early) {
        return early;
    }
}
