package io.lambdafs.store.format;

import io.lambdafs.model.inode.INode;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import io.lambdafs.store.block.StoredBlock;
import io.lambdafs.store.block.WriterLease;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks all rows of a store for consistency of the tree (PROTOCOL: I5): every INode but the root has exactly one
 * parent, an existing directory; everything is reachable from the root or from a tree awaiting reclaim; counts are
 * right; and there are no orphaned contents, counts, locations, marks or client slots. The rows must come from one
 * snapshot. Single use, not thread-safe.
 */
public final class Fsck {
    private final Map<Key, INode> nodes = new LinkedHashMap<>();
    private final Map<Long, List<INode>> children = new HashMap<>();
    private final Map<Long, INode> byId = new HashMap<>();
    private final Map<Long, Row> stats = new LinkedHashMap<>();
    /** Keys only: the contents may exceed memory. */
    private final Set<Key> contents = new LinkedHashSet<>();

    private final List<Row> locations = new ArrayList<>();
    private final Map<Long, List<StoredBlock>> blocks = new LinkedHashMap<>();
    private final Map<Long, WriterLease> leases = new LinkedHashMap<>();
    private final Set<Long> detachedFiles = new LinkedHashSet<>();
    private final Set<Long> written = new HashSet<>();
    private final Set<Long> withXattrs = new HashSet<>();
    private final List<Row> operations = new ArrayList<>();
    private final Set<Long> epochs = new HashSet<>();
    private final Set<String> withSlots = new LinkedHashSet<>();
    private final Set<String> noted = new HashSet<>();
    private final List<String> problems = new ArrayList<>();
    private final Set<Long> inTree = new HashSet<>();
    private final Set<Long> detached = new HashSet<>();
    private final TotalsRecount totals = new TotalsRecount();
    private final SnapshotCheck snapshots = new SnapshotCheck();
    private boolean saysTotals;
    private boolean keepsTotals;

    private Fsck(Iterable<Row> rows) {
        for (Row row : rows) {
            sort(row);
        }
    }

    /**
     * The result of a check.
     *
     * @param problems one sentence per inconsistency; empty if there is none
     * @param unfinished legitimate transient state of a running service: active subtree operations, detached trees
     * @param inodes number of INodes in the tree, including the root
     */
    public record Report(List<String> problems, List<String> unfinished, int inodes) {
        public Report {
            problems = List.copyOf(problems);
            unfinished = List.copyOf(unfinished);
        }
    }

    /** Checks the rows of a store, in any order. */
    public static Report check(Iterable<Row> rows) {
        Fsck fsck = new Fsck(rows);
        fsck.checkReach();
        fsck.checkCounts();
        fsck.checkTotals();
        fsck.problems.addAll(fsck.snapshots.problems());
        fsck.checkContents();
        fsck.checkLocations();
        fsck.checkXattrs();
        fsck.checkBlocks();
        fsck.checkMarks();
        fsck.checkSlots();
        return new Report(fsck.problems, fsck.unfinished(), fsck.inTree.size());
    }

    private void sort(Row row) {
        Table table = row.key().table();
        snapshots.add(row);
        if (table.equals(Schema.INODES)) {
            INode node = Rows.inode(row);
            nodes.put(row.key(), node);
            if (node.traits().reserved() != 0 && node.content() != INode.Content.WRITING) {
                problems.add(name(node) + " is charged with a block that nobody writes");
            }
            totals.count(node);
            if (node.id() != INode.ROOT_ID) {
                children.computeIfAbsent(node.parentId(), parent -> new ArrayList<>())
                        .add(node);
            }
            INode other = byId.putIfAbsent(node.id(), node);
            if (other != null) {
                problems.add(name(node) + " and " + name(other) + " are the same INode");
            }
        } else if (table.equals(Schema.DIRECTORY_STATS)) {
            stats.put(row.key().int64(0), row);
        } else if (table.equals(Schema.DIRECTORY_TOTALS)) {
            totals.stored(row);
        } else if (table.equals(Schema.SMALL_FILES)) {
            contents.add(row.key());
        } else if (table.equals(Schema.LOCATIONS)) {
            locations.add(row);
        } else if (table.equals(Schema.BLOCKS)) {
            StoredBlock block = StoredBlock.of(row);
            blocks.computeIfAbsent(block.inodeId(), file -> new ArrayList<>()).add(block);
        } else if (table.equals(Schema.WRITER_LEASES)) {
            leases.put(row.key().int64(0), WriterLease.of(row));
        } else if (table.equals(Schema.XATTRS)) {
            withXattrs.add(row.key().int64(0));
        } else if (table.equals(Schema.WRITTEN_FILES)) {
            written.add(row.key().int64(1));
        } else if (table.equals(Schema.DETACHED_FILES)) {
            detachedFiles.add(row.key().int64(1));
        } else if (table.equals(Schema.SUBTREE_OPERATIONS)) {
            operations.add(row);
        } else if (table.equals(Schema.INSTANCES)) {
            epochs.add(row.key().int64(0));
        } else if (table.equals(Schema.SLOTS)) {
            withSlots.add(row.key().string(0));
        } else if (table.equals(Schema.CLIENTS)) {
            noted.add(row.key().string(1));
        } else if (row.key().equals(TotalsState.KEY)) {
            saysTotals = TotalsState.isExact(row);
        } else if (row.key().equals(FormatLevel.KEY)) {
            keepsTotals = TotalsState.isKeptAt(row);
        }
    }

    private static String name(INode node) {
        return "INode " + node.id() + " (\"" + node.name() + "\" in " + node.parentId() + ")";
    }

    private void checkReach() {
        INode root = nodes.get(Rows.inodeKey(0, ""));
        if (root == null || root.id() != INode.ROOT_ID || !root.isDirectory()) {
            problems.add("there is no root directory");
        }
        inTree.add(INode.ROOT_ID);
        walk(INode.ROOT_ID, inTree);
        walk(INode.RECLAIM_ID, detached);
        for (INode node : nodes.values()) {
            if (!inTree.contains(node.id()) && !detached.contains(node.id())) {
                INode parent = byId.get(node.parentId());
                problems.add(name(node) + " cannot be reached: its parent "
                        + (parent == null ? "does not exist" : parent.isFile() ? "is a file" : "is beyond reach too"));
            }
        }
    }

    private void walk(long from, Set<Long> reached) {
        Deque<Long> open = new ArrayDeque<>(List.of(from));
        while (!open.isEmpty()) {
            for (INode child : children.getOrDefault(open.remove(), List.of())) {
                if (reached.add(child.id()) && child.isDirectory()) {
                    open.add(child.id());
                }
            }
        }
    }

    private void checkCounts() {
        for (INode node : nodes.values()) {
            if (node.isDirectory() && inTree.contains(node.id())) {
                long counted = Rows.stats(stats.get(node.id())).children();
                int there = children.getOrDefault(node.id(), List.of()).size();
                if (counted != there) {
                    problems.add(name(node) + " counts " + counted + " children and has " + there);
                }
            }
        }
        for (Long id : stats.keySet()) {
            INode directory = byId.get(id);
            if (directory == null || directory.isFile()) {
                problems.add("a count of children is left of the directory " + id + ", which is gone");
            }
        }
    }

    /** Compares totals with what is there, once they are said to be exact. */
    private void checkTotals() {
        totals.wronglyLimited()
                .forEach(id -> problems.add("the directory " + id
                        + " has a quota that writes do not see, or none: set it again (lambdafs quota set)"));
        if (!saysTotals || !keepsTotals) {
            return;
        }
        totals.missing()
                .forEach((id, missing) -> problems.add("the totals of the directory " + id + " lack " + missing
                        + " of what is below it: mend them (lambdafs upgrade --finalize)"));
        totals.left().forEach(id -> problems.add("totals are left of the directory " + id + ", which is gone"));
    }

    private void checkContents() {
        for (Key key : contents) {
            INode file = byId.get(key.int64(0));
            boolean inline =
                    file != null && file.content() == INode.Content.INLINE && key.equals(Rows.contentKey(file.id()));
            if (!isHeld(key.int64(0)) && (file == null || !(inline || isHead(file, key)))) {
                problems.add(
                        "a content is left of the file " + key.int64(0) + ", which is gone or has another content");
            }
        }
        for (INode node : nodes.values()) {
            boolean inline = node.isFile() && node.content() == INode.Content.INLINE;
            if (inline && !contents.contains(Rows.contentKey(node.id()))) {
                problems.add(name(node) + " has lost its content");
            }
        }
    }

    /** Returns whether versions hold a file's content, or may still do so. */
    private boolean isHeld(long fileId) {
        INode file = byId.get(fileId);
        return snapshots.holds(fileId) || detachedFiles.contains(fileId) || (file != null && file.isHeld());
    }

    /** Returns whether a content will move into the first block of a file under append. */
    private boolean isHead(INode file, Key content) {
        return file.content() == INode.Content.WRITING
                && content.equals(Rows.contentKey(file.id()))
                && file.size() > 0
                && blocks.getOrDefault(file.id(), List.of()).stream()
                        .noneMatch(block -> block.state() == StoredBlock.State.WRITTEN);
    }

    private void checkXattrs() {
        for (INode node : byId.values()) {
            if (node.hasXattrs() != withXattrs.remove(node.id())) {
                problems.add(name(node)
                        + (node.hasXattrs()
                                ? " has lost its extended attributes"
                                : " does not say that it has extended attributes"));
            }
        }
        withXattrs.forEach(id -> problems.add("extended attributes are left of the INode " + id + ", which is gone"));
    }

    private void checkLocations() {
        for (Row row : locations) {
            INode node = byId.get(row.key().int64(0));
            if (node == null || (node.isFile() && !isOpen(node))) {
                problems.add("a location is left of the INode " + row.key().int64(0) + ", which is gone or closed");
            } else if (!Rows.location(node).equals(row)) {
                problems.add(name(node) + " is said to be \"" + row.string(1) + "\" in " + row.int64(0));
            }
        }
    }

    private static boolean isOpen(INode file) {
        return file.content() == INode.Content.NONE || file.content() == INode.Content.WRITING;
    }

    private void checkBlocks() {
        blocks.forEach((id, all) -> {
            INode file = byId.get(id);
            if (file == null && isHeld(id)) {
                return;
            }
            if (detachedFiles.contains(id)
                    ? file != null
                    : file == null || !file.content().isInBlocks()) {
                problems.add("blocks are left of the file " + id + ", which is gone or has another content");
            }
        });
        for (INode node : nodes.values()) {
            if (node.content().isInBlocks()) {
                checkBlocks(node, blocks.getOrDefault(node.id(), List.of()));
            }
            WriterLease lease = leases.get(node.id());
            boolean written = node.content() == INode.Content.WRITING;
            if (written ? lease == null || lease.generation() != node.contentId() : lease != null) {
                problems.add(
                        name(node) + (written ? " is written under no lease" : " is closed and has a writer's lease"));
            }
        }
        leases.keySet().stream()
                .filter(id -> !byId.containsKey(id))
                .forEach(id -> problems.add("a writer's lease is left of the file " + id + ", which is gone"));
    }

    private void checkBlocks(INode file, List<StoredBlock> all) {
        List<StoredBlock> inOrder = new ArrayList<>(all);
        inOrder.sort(Comparator.comparingInt(StoredBlock::index));
        long length = 0;
        for (int i = 0; i < inOrder.size(); i++) {
            StoredBlock block = inOrder.get(i);
            boolean last = i == inOrder.size() - 1;
            boolean written = block.state() == StoredBlock.State.WRITTEN;
            if (block.index() != i || (!written && (!last || file.content() == INode.Content.BLOCKS))) {
                problems.add(name(file) + " has lost its block " + i);
            }
            length += written ? block.shown() : 0;
        }
        Key head = Rows.contentKey(file.id());
        if (length != file.size() && !(contents.contains(head) && isHead(file, head))) {
            problems.add(name(file) + " has " + length + " bytes in blocks, and counts " + file.size());
        }
    }

    private void checkMarks() {
        Set<Long> active = new HashSet<>();
        operations.forEach(row -> active.add(row.int64(0)));
        for (INode node : nodes.values()) {
            INode.SubtreeMark mark = node.mark();
            if (mark != null && !active.contains(mark.operation())) {
                problems.add(name(node) + " is marked by the subtree operation " + mark.operation()
                        + ", which is in no table: nobody will clear it");
            }
        }
    }

    private void checkSlots() {
        for (String client : withSlots) {
            if (!noted.contains(client)) {
                problems.add("the client session " + client + " has slots and is in no list: nobody will sweep them");
            }
        }
    }

    private List<String> unfinished() {
        List<String> all = new ArrayList<>();
        for (Row row : operations) {
            boolean dead = !epochs.contains(row.int64(1));
            all.add("subtree operation " + row.int64(0) + " on \"" + row.key().string(1) + "\" of epoch " + row.int64(1)
                    + (dead ? ", which is dead" : ""));
        }
        for (INode tree : children.getOrDefault(INode.RECLAIM_ID, List.of())) {
            all.add(name(tree) + " waits for reclaim");
        }
        written.stream()
                .filter(id -> !leases.containsKey(id))
                .forEach(id -> all.add("the file " + id + " is listed as being written, and is not"));
        detachedFiles.forEach(id -> all.add("the blocks of the file " + id + " wait for reclaim"));
        all.addAll(snapshots.unfinished());
        return all;
    }
}
