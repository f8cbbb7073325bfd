package io.lambdafs.testing.simulation;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.store.Change;
import io.lambdafs.store.ChangeLog;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A namespace rebuilt from the change log alone, as a consumer sees it, for comparison with the store's (PROTOCOL: C1,
 * C2, C3). Not thread-safe.
 */
final class ReplayedChanges {
    private static final int PAGE = 1_000;
    private static final int MOST_TOLD = 10;

    /** INode numbers by path; descendants follow their directory. */
    private final NavigableMap<FsPath, Long> nodes = new TreeMap<>();

    private final List<String> unlike = new ArrayList<>();

    private ReplayedChanges() {}

    /** Returns the differences not explained by the log; empty if none. */
    static List<String> differences(MemoryStore store) {
        ReplayedChanges replayed = new ReplayedChanges();
        long after = ChangeLog.START;
        List<ChangeLog.Entry> page;
        do {
            page = store.changes(after, PAGE).toCompletableFuture().join();
            for (ChangeLog.Entry entry : page) {
                replayed.apply(entry.change().event());
                after = entry.position();
            }
        } while (!page.isEmpty());
        replayed.compare(stored(store));
        return replayed.unlike;
    }

    private void apply(Change.Event event) {
        switch (event.kind()) {
            case CREATE, MKDIR -> {
                remove(event.path(), event.replaced(), event);
                add(event.path(), event.inode(), event);
            }
            case DELETE -> remove(event.path(), event.inode(), event);
            case RENAME -> rename(event);
            case CLOSE, REOPEN, TRUNCATE, ATTRIBUTES -> expect(event.path(), event.inode(), event);
        }
    }

    private void rename(Change.Event event) {
        FsPath to = event.destination();
        if (to == null) {
            unlike.add("no destination: " + event);
            return;
        }
        remove(to, event.replaced(), event);
        Map<FsPath, Long> moved = remove(event.path(), event.inode(), event);
        moved.forEach((path, inode) -> add(moved(path, event.path(), to), inode, event));
    }

    private static FsPath moved(FsPath path, FsPath from, FsPath to) {
        FsPath at = to;
        for (int i = from.depth(); i < path.depth(); i++) {
            at = at.child(path.name(i));
        }
        return at;
    }

    private void add(FsPath path, long inode, Change.Event event) {
        if (!path.parent().isRoot() && !nodes.containsKey(path.parent())) {
            unlike.add("nothing is above: " + event);
        }
        if (nodes.putIfAbsent(path, inode) != null) {
            unlike.add("something is there already: " + event);
        }
    }

    private void expect(FsPath path, long inode, Change.Event event) {
        if (!path.isRoot() && nodes.getOrDefault(path, 0L) != inode) {
            unlike.add("INode " + nodes.get(path) + " is there: " + event);
        }
    }

    /** Removes a path and everything below it, unless the INode is 0, which stands for none. */
    private Map<FsPath, Long> remove(FsPath top, long inode, Change.Event event) {
        if (inode == 0) {
            return Map.of();
        }
        expect(top, inode, event);
        Map<FsPath, Long> removed = new TreeMap<>();
        nodes.forEach((path, each) -> {
            if (path.isAtOrBelow(top)) {
                removed.put(path, each);
            }
        });
        removed.keySet().forEach(nodes::remove);
        return removed;
    }

    private static Map<FsPath, Long> stored(MemoryStore store) {
        Map<Long, List<INode>> children = new HashMap<>();
        store.rows().stream()
                .filter(row -> row.key().table().equals(Schema.INODES))
                .map(Rows::inode)
                .filter(node -> node.id() != INode.ROOT_ID)
                .forEach(node -> children.computeIfAbsent(node.parentId(), parent -> new ArrayList<>())
                        .add(node));
        Map<FsPath, Long> found = new TreeMap<>();
        collect(FsPath.ROOT, INode.ROOT_ID, children, found);
        return found;
    }

    private static void collect(FsPath path, long inode, Map<Long, List<INode>> children, Map<FsPath, Long> found) {
        for (INode child : children.getOrDefault(inode, List.of())) {
            FsPath at = path.child(child.name());
            found.put(at, child.id());
            collect(at, child.id(), children, found);
        }
    }

    private void compare(Map<FsPath, Long> stored) {
        stored.forEach((path, inode) -> {
            if (!inode.equals(nodes.remove(path)) && unlike.size() < MOST_TOLD) {
                unlike.add("the store has INode " + inode + " at " + path + ", and the log another one or none");
            }
        });
        nodes.forEach((path, inode) -> unlike.add("the log has INode " + inode + " at " + path + ", the store none"));
    }
}
