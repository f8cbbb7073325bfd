package io.lambdafs.functions.namenode.transaction;

import io.lambdafs.functions.cache.CacheChange;
import io.lambdafs.functions.cache.Child;
import io.lambdafs.functions.cache.Fill;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.INode;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import io.lambdafs.store.block.StoredBlock;
import io.lambdafs.store.snapshot.DirectoryVersion;
import io.lambdafs.store.snapshot.HeldFile;
import io.lambdafs.store.snapshot.Kept;
import io.lambdafs.store.snapshot.SnapshotNumber;
import io.lambdafs.store.snapshot.Version;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes a write copy what snapshots see before it changes that, and stamp what it writes (PROTOCOL: V2, V3, V4, V5). All of a
 * write's mutations go through here: what a snapshot holds is known by the directories on the resolved path. Single use.
 */
public final class VersionCopies {
    private final LockedRows rows;
    private final boolean presumed;
    private final Map<Long, Era> eras;
    /** The eras of the directories whose rows change, as they were. */
    private final Map<Long, Long> before = new HashMap<>();

    private final Map<Key, @Nullable INode> after = new LinkedHashMap<>();
    private final Map<Long, INode> held = new HashMap<>();
    private final Set<Long> staying = new HashSet<>();
    private final Map<Key, INode> stamped = new HashMap<>();
    private final List<Mutation> more = new ArrayList<>();
    private final Set<Long> written = new LinkedHashSet<>();

    /**
     * The snapshots that may see what is below a directory.
     *
     * @param number of the last one; 0 for none
     * @param top the only directory whose snapshots may; 0 if unknown
     */
    private record Era(long number, long top) {
        static final Era NONE = new Era(0, 0);

        Era below(INode directory) {
            return directory.floor() == 0
                    ? this
                    : new Era(
                            Math.max(number, directory.floor()),
                            number == 0 && directory.isAlone() ? directory.id() : 0);
        }
    }

    /** The eras of the directories on the paths that a write has resolved. Immutable. */
    public static final class Eras {
        private final Map<Long, Era> byDirectory = new LinkedHashMap<>();

        public Eras(List<Chain> chains) {
            for (Chain chain : chains) {
                Era era = Era.NONE;
                for (INode node : chain.nodes()) {
                    if (node.isDirectory()) {
                        era = era.below(node);
                        byDirectory.put(node.id(), era);
                    }
                }
            }
        }

        /** Returns the reads that tell which counts of directories are to be copied: of each directory the copy, and what is counted. */
        public Set<Read> reads() {
            Set<Read> reads = new LinkedHashSet<>();
            byDirectory.forEach((id, era) -> {
                if (era.number() > 0) {
                    reads.add(Read.unlocked(DirectoryVersion.key(id, era.number())));
                    reads.add(Read.unlocked(Rows.statsKey(id)));
                    reads.add(Read.unlocked(Rows.totalsKey(id)));
                }
            });
            return reads;
        }
    }

    private VersionCopies(Eras eras, LockedRows rows, boolean presumed) {
        this.eras = eras.byDirectory;
        this.rows = rows;
        this.presumed = presumed;
    }

    /**
     * Returns a write's outcome with the copies.
     *
     * @param presumed whether the counts of directories are presumed to be copied already
     * @throws FsException if content would change that a snapshot holds
     */
    public static Outcome of(Eras eras, LockedRows rows, Outcome outcome, boolean presumed) {
        VersionCopies copies = new VersionCopies(eras, rows, presumed);
        return copies.isOfSnapshots(outcome) ? copies.copied(outcome) : outcome;
    }

    /** Returns whether snapshots may see or hold anything that a write changes. */
    private boolean isOfSnapshots(Outcome outcome) {
        if (eras.values().stream().anyMatch(era -> era.number() > 0)) {
            return true;
        }
        for (Mutation mutation : outcome.mutations()) {
            Row row = isEntry(mutation.key()) ? rows.row(mutation.key()) : null;
            if (row != null && Rows.isInSnapshots(row)) {
                return true;
            }
        }
        return false;
    }

    private Outcome copied(Outcome outcome) {
        for (Mutation mutation : outcome.mutations()) {
            if (isEntry(mutation.key())) {
                after.put(mutation.key(), mutation instanceof Mutation.Put put ? Rows.inode(put.row()) : null);
            }
        }
        after.forEach(this::leave);
        after.values().forEach(node -> {
            if (node != null) {
                staying.add(node.id());
            }
        });
        Set<Long> counted = new LinkedHashSet<>();
        List<Mutation> mutations = new ArrayList<>();
        for (Mutation mutation : outcome.mutations()) {
            count(mutation.key(), counted);
            Mutation kept = kept(mutation);
            if (kept != null) {
                mutations.add(kept);
            }
        }
        held.forEach((id, file) -> {
            if (!staying.contains(id)) {
                mutations.add(new Mutation.Put(Rows.detachedFile(file)));
            }
        });
        counted.forEach(this::copyCounts);
        written.forEach(number -> more.add(SnapshotNumber.written(number, 1)));
        mutations.addAll(more);
        return new Outcome(outcome.reply(), mutations, stamped(outcome.change()), outcome.events());
    }

    private static boolean isEntry(Key key) {
        return key.table().equals(Schema.INODES) && key.int64(0) != INode.RECLAIM_ID;
    }

    private Era era(long directoryId) {
        return eras.getOrDefault(directoryId, Era.NONE);
    }

    /** Copies what is at a key, if a snapshot sees it and it changes. */
    private void leave(Key key, @Nullable INode next) {
        Row row = rows.row(key);
        if (row == null) {
            return;
        }
        INode node = Rows.inode(row).withMark(null);
        Era era = era(key.int64(0));
        before.put(node.id(), Math.max(era.number(), node.floor()));
        boolean changes = next == null || !next.withMark(null).equals(node);
        if (node.isFile() && node.isHeld() && !isReleased(node.id())) {
            held.put(node.id(), node);
        }
        if (!changes || node.stamp() >= era.number()) {
            return;
        }
        Version version = new Version(node, era.number());
        more.add(new Mutation.Put(version.row()));
        keep(Kept.of(version, era.top()));
        if (version.holdsContent()) {
            more.add(HeldFile.more(node.id(), 1));
            held.put(node.id(), node);
        }
    }

    /** Returns whether a write that may cut a file has read that no version holds its content any more. */
    private boolean isReleased(long fileId) {
        Row row = rows.row(HeldFile.key(fileId));
        return row != null && HeldFile.of(row).versions() == 0;
    }

    private void keep(Kept kept) {
        more.add(new Mutation.Put(kept.row(kept.number())));
        written.add(kept.number());
    }

    /** Returns a mutation as it may be made; null if not at all. */
    private @Nullable Mutation kept(Mutation mutation) {
        Key key = mutation.key();
        Table table = key.table();
        if (table.equals(Schema.INODES) && mutation instanceof Mutation.Put put) {
            INode node = Rows.inode(put.row());
            INode made = isEntry(key) ? stamped(key, node) : node.withEra(node.stamp(), eraBefore(node));
            return new Mutation.Put(Rows.of(made));
        }
        if (table.equals(Schema.SMALL_FILES) && held.containsKey(key.int64(0))) {
            checkLonger(key.int64(0));
            return mutation instanceof Mutation.Delete ? null : mutation;
        }
        if (table.equals(Schema.BLOCKS) && held.containsKey(key.int64(0))) {
            checkNotCut(mutation);
        }
        if (table.equals(Schema.DETACHED_FILES) && held.containsKey(key.int64(1))) {
            return null;
        }
        return isOfRemoved(mutation) ? null : mutation;
    }

    /** Returns the era of a directory that is detached: as what is below it leaves, so the reclaimer copies it. */
    private long eraBefore(INode directory) {
        return before.getOrDefault(directory.id(), directory.floor());
    }

    private INode stamped(Key key, INode node) {
        Row row = rows.row(key);
        boolean same = row != null && Rows.inode(row).withMark(null).equals(node.withMark(null));
        long stamp = same ? node.stamp() : Math.max(node.stamp(), eraOf(key));
        boolean moved = row == null || Rows.inode(row).id() != node.id();
        long floor =
                node.isDirectory() && moved ? Math.max(node.floor(), before.getOrDefault(node.id(), 0L)) : node.floor();
        INode made = node.withEra(stamp, floor);
        if (node.isDirectory() && moved && floor > 0) {
            made = made.withAlone(false);
        }
        if (node.isFile() && held.containsKey(node.id())) {
            made = made.withHeld(true);
        }
        stamped.put(key, made);
        return made;
    }

    /** Returns the era of a key's directory, which the write itself may make. */
    private long eraOf(Key key) {
        long directory = key.int64(0);
        if (eras.containsKey(directory)) {
            return era(directory).number();
        }
        for (Map.Entry<Key, @Nullable INode> each : after.entrySet()) {
            INode made = each.getValue();
            if (made != null && made.id() == directory) {
                return eraOf(each.getKey());
            }
        }
        return 0;
    }

    /** The content that a version shares stays as it is: a file that has some may only become longer. */
    private void checkLonger(long fileId) {
        INode file = held.get(fileId);
        for (INode next : after.values()) {
            if (file != null && next != null && next.id() == fileId && next.size() < file.size()) {
                throw refusal(file);
            }
        }
    }

    private void checkNotCut(Mutation mutation) {
        Row row = rows.row(mutation.key());
        INode file = held.get(mutation.key().int64(0));
        if (row == null || file == null || StoredBlock.of(row).state() != StoredBlock.State.WRITTEN) {
            return;
        }
        boolean same = mutation instanceof Mutation.Put put
                && StoredBlock.of(put.row()).shown() == StoredBlock.of(row).shown();
        if (!same) {
            throw refusal(file);
        }
    }

    private static FsException refusal(INode file) {
        return new FsException(
                ErrorCode.SNAPSHOT_REFUSED,
                "\"" + file.name()
                        + "\" can be neither truncated nor be added to another file by concat: a snapshot holds its content; write a copy");
    }

    /** Returns whether a mutation would remove the counts of a directory that the reclaimer still has to copy. */
    private boolean isOfRemoved(Mutation mutation) {
        Table table = mutation.key().table();
        boolean counts = table.equals(Schema.DIRECTORY_STATS) || table.equals(Schema.DIRECTORY_TOTALS);
        return counts
                && mutation instanceof Mutation.Delete
                && isRemovedEra(mutation.key().int64(0));
    }

    private boolean isRemovedEra(long directoryId) {
        return before.getOrDefault(directoryId, 0L) > 0 && !staying.contains(directoryId);
    }

    private void count(Key key, Set<Long> counted) {
        boolean counts =
                key.table().equals(Schema.DIRECTORY_STATS) || key.table().equals(Schema.DIRECTORY_TOTALS);
        if (counts && era(key.int64(0)).number() > 0) {
            counted.add(key.int64(0));
        }
        if (key.table().equals(Schema.DIRECTORY_STATS) && isRemovedEra(key.int64(0))) {
            detach(key.int64(0));
        }
    }

    /** Leaves an empty directory, which is removed, to the reclaimer too. */
    private void detach(long directoryId) {
        for (Key key : after.keySet()) {
            Row row = rows.row(key);
            if (row != null && Rows.inode(row).id() == directoryId) {
                INode gone = Rows.inode(row);
                more.add(
                        new Mutation.Put(Rows.detached(gone.withXattrs(false).withEra(gone.stamp(), eraBefore(gone)))));
            }
        }
    }

    /**
     * Copies what a directory counts, unless that was done since the snapshot was made: then nothing had changed when the
     * rows were read, so all who find no copy make the same.
     */
    private void copyCounts(long directoryId) {
        Era era = era(directoryId);
        if (presumed || rows.row(DirectoryVersion.key(directoryId, era.number())) != null) {
            return;
        }
        DirectoryVersion counts = new DirectoryVersion(
                Rows.stats(rows.row(Rows.statsKey(directoryId))), Rows.totals(rows.row(Rows.totalsKey(directoryId))));
        more.add(new Mutation.Put(counts.row(directoryId, era.number())));
        keep(Kept.ofDirectory(directoryId, era.number(), era.top()));
    }

    private CacheChange stamped(CacheChange change) {
        List<Fill> fills = new ArrayList<>();
        for (Fill fill : change.fills()) {
            fills.add(stamped(fill));
        }
        List<Child> children = new ArrayList<>();
        for (Child child : change.children()) {
            INode node = child.node();
            children.add(node == null ? child : new Child(child.path(), stamped(node)));
        }
        return new CacheChange(change.scope(), fills, children);
    }

    private Fill stamped(Fill fill) {
        if (fill instanceof Fill.Entry entry) {
            return new Fill.Entry(entry.path(), stamped(entry.node()), entry.content());
        }
        return fill instanceof Fill.Link link ? new Fill.Link(link.path(), stamped(link.node())) : fill;
    }

    private INode stamped(INode node) {
        return stamped.getOrDefault(Rows.inodeKey(node.parentId(), node.name()), node);
    }
}
