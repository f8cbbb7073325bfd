package io.lambdafs.testing.simulation.snapshots;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.model.inode.INode;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.block.StoredBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Watches each commit of a store: of each snapshot, when it is committed, it keeps a copy of the tree as it is then, taken from the current
 * rows alone. Not thread-safe.
 */
final class SnapshotModel {
    private final Map<Long, Taken> taken = new HashMap<>();
    private final Map<Long, String> live = new HashMap<>();

    /**
     * The tree of a snapshot at its moment.
     *
     * @param files by path below the directory, which is the root here
     */
    record Taken(long number, SortedMap<FsPath, Entry> files) {}

    /**
     * A file or directory at a moment.
     *
     * @param content its bytes; null for none
     * @param blocks the objects of its blocks, with what of them is shown
     */
    @SuppressWarnings("ArrayRecordComponent") // Compared by hand.
    record Entry(
            INode node, DirectoryStats stats, DirectoryTotals totals, byte @Nullable [] content, List<String> blocks) {
        /** Returns the same directory with another time of its last modification. */
        Entry modified(long mtime) {
            return new Entry(node, new DirectoryStats(stats.children(), mtime), totals, content, blocks);
        }

        /** Returns what is different at another reader's; null for nothing. */
        @Nullable
        String differs(Attributes seen) {
            boolean same = seen.id() == node.id()
                    && seen.isDirectory() == node.isDirectory()
                    && seen.mode() == node.mode()
                    && seen.size() == node.size()
                    && seen.replication() == node.replication()
                    && seen.mtime() == (node.isDirectory() ? stats.mtime() : node.mtime())
                    && seen.children() == (node.isDirectory() ? stats.children() : 0);
            return same ? null : "it was " + node + " with " + stats + ", and is seen as " + seen;
        }
    }

    /** Looks at all rows after a commit; returns what is wrong, or null. */
    @Nullable
    String look(List<Row> rows) {
        live.clear();
        Map<Long, Row> made = new HashMap<>();
        for (Row row : rows) {
            if (row.key().table().equals(Schema.SNAPSHOTS)) {
                live.put(row.int64(0), row.key().string(1));
                made.put(row.int64(0), row);
            }
        }
        taken.keySet().retainAll(live.keySet());
        for (Map.Entry<Long, Row> each : made.entrySet()) {
            if (!taken.containsKey(each.getKey())) {
                taken.put(each.getKey(), take(each.getValue(), rows));
            }
        }
        return lost(rows);
    }

    /** Returns the name of a snapshot by its number; null if there is none. */
    @Nullable
    String name(long number) {
        return live.get(number);
    }

    List<Taken> all() {
        List<Taken> all = new ArrayList<>(taken.values());
        all.sort(Comparator.comparingLong(Taken::number));
        return all;
    }

    private static Taken take(Row snapshot, List<Row> rows) {
        long directory = snapshot.key().int64(0);
        Map<Long, List<INode>> children = new HashMap<>();
        Map<Long, Row> stats = new HashMap<>();
        Map<Long, Row> totals = new HashMap<>();
        Map<Long, byte[]> contents = new HashMap<>();
        Map<Long, List<StoredBlock>> blocks = new HashMap<>();
        INode top = null;
        for (Row row : rows) {
            if (row.key().table().equals(Schema.INODES)) {
                INode node = Rows.inode(row).withMark(null);
                children.computeIfAbsent(node.parentId(), none -> new ArrayList<>())
                        .add(node);
                top = node.id() == directory ? node : top;
            } else if (row.key().table().equals(Schema.DIRECTORY_STATS)) {
                stats.put(row.key().int64(0), row);
            } else if (row.key().table().equals(Schema.DIRECTORY_TOTALS)) {
                totals.put(row.key().int64(0), row);
            } else if (row.key().table().equals(Schema.SMALL_FILES)) {
                contents.put(row.key().int64(0), row.bytes(0));
            } else if (row.key().table().equals(Schema.BLOCKS)) {
                blocks.computeIfAbsent(row.key().int64(0), none -> new ArrayList<>())
                        .add(StoredBlock.of(row));
            }
        }
        SortedMap<FsPath, Entry> files = new TreeMap<>();
        if (top != null) {
            walk(FsPath.ROOT, top, node -> entry(node, stats, totals, contents, blocks), children, files);
            files.computeIfPresent(FsPath.ROOT, (path, root) -> root.modified(snapshot.int64(1)));
        }
        return new Taken(snapshot.int64(0), files);
    }

    private interface Looked {
        Entry entry(INode node);
    }

    private static void walk(
            FsPath path, INode node, Looked looked, Map<Long, List<INode>> children, SortedMap<FsPath, Entry> files) {
        files.put(path, looked.entry(node));
        if (node.isDirectory()) {
            for (INode child : children.getOrDefault(node.id(), List.of())) {
                walk(path.child(child.name()), child, looked, children, files);
            }
        }
    }

    private static Entry entry(
            INode node,
            Map<Long, Row> stats,
            Map<Long, Row> totals,
            Map<Long, byte[]> contents,
            Map<Long, List<StoredBlock>> blocks) {
        if (node.isDirectory()) {
            return new Entry(
                    node, Rows.stats(stats.get(node.id())), Rows.totals(totals.get(node.id())), null, List.of());
        }
        List<String> shown = new ArrayList<>();
        long length = 0;
        List<StoredBlock> all = new ArrayList<>(blocks.getOrDefault(node.id(), List.of()));
        all.sort(Comparator.comparingInt(StoredBlock::index));
        for (StoredBlock block : all) {
            if (length < node.size() && block.state() == StoredBlock.State.WRITTEN) {
                shown.add(block.store() + " " + block.key() + " " + block.shown());
                length += block.shown();
            }
        }
        byte[] content = contents.get(node.id());
        boolean inline = content != null && shown.isEmpty() && node.size() > 0;
        return new Entry(
                node,
                DirectoryStats.EMPTY,
                DirectoryTotals.NONE,
                inline ? Arrays.copyOf(content, (int) node.size()) : null,
                shown);
    }

    /** Returns a content that a snapshot saw, and that is not there any more; null if all are. */
    private @Nullable String lost(List<Row> rows) {
        Set<Long> contents = new HashSet<>();
        Set<String> objects = new HashSet<>();
        Set<String> invalid = new HashSet<>();
        for (Row row : rows) {
            if (row.key().table().equals(Schema.SMALL_FILES)) {
                contents.add(row.key().int64(0));
            } else if (row.key().table().equals(Schema.BLOCKS)) {
                StoredBlock block = StoredBlock.of(row);
                objects.add(block.inodeId() + " " + block.store() + " " + block.key() + " " + block.shown());
            } else if (row.key().table().equals(Schema.INVALID_BLOCKS)) {
                invalid.add(row.key().string(0) + " " + row.key().string(1));
            }
        }
        for (Taken each : taken.values()) {
            for (Map.Entry<FsPath, Entry> file : each.files().entrySet()) {
                Entry entry = file.getValue();
                boolean lost = entry.content() != null
                        && !contents.contains(entry.node().id());
                for (String block : entry.blocks()) {
                    lost |= !objects.contains(entry.node().id() + " " + block)
                            || invalid.contains(block.substring(0, block.lastIndexOf(' ')));
                }
                if (lost) {
                    return "the content of " + file.getKey() + " in the snapshot " + each.number() + " is lost";
                }
            }
        }
        return null;
    }
}
