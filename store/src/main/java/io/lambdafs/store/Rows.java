package io.lambdafs.store;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.Acl;
import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Quota;
import io.lambdafs.store.Mutation.Delta;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts between model types and rows of the {@link Schema}. */
@SuppressWarnings("EnumOrdinal") // The order of those constants is part of the schema.
public final class Rows {
    private static final INode.Kind[] KINDS = INode.Kind.values();

    private Rows() {}

    public static Key inodeKey(long parentId, String name) {
        return Schema.INODES.key(parentId, name);
    }

    /** Returns the row of a detached directory, which no longer has a path. */
    public static Row detached(INode directory) {
        return of(directory
                .withLocation(INode.RECLAIM_ID, Long.toString(directory.id()))
                .withMark(null));
    }

    public static Row of(INode n) {
        return of(inodeKey(n.parentId(), n.name()), n);
    }

    /** Returns the row of an INode under a key of {@link Schema#INODES} or of {@link Schema#VERSIONS}. */
    public static Row of(Key key, INode n) {
        INode.SubtreeMark mark = n.mark();
        Acl acl = n.traits().acl();
        return new Row(
                key,
                n.id(),
                (long) n.kind().ordinal(),
                n.owner(),
                n.group(),
                (long) n.mode(),
                n.size(),
                n.mtime(),
                n.atime(),
                (long) n.replication(),
                n.blockSize(),
                (long) n.content().number(),
                n.contentId(),
                mark == null ? 0L : mark.operation(),
                mark == null ? 0L : mark.epoch(),
                (long) n.traits().extras(),
                acl == null ? "" : acl.toString(),
                n.traits().storagePolicy(),
                n.traits().reserved(),
                n.stamp(),
                n.floor());
    }

    /** Reads an INode; fails with {@code INTERNAL} if a column is damaged. */
    public static INode inode(Row r) {
        return inode(r, r.key().string(1));
    }

    /** Reads an INode of another name than its key says. */
    public static INode inode(Row r, String name) {
        INode.Traits traits = new INode.Traits(
                known(kind(r.int64(1)), r, 1),
                r.string(2),
                r.string(3),
                (int) r.int64(4),
                (int) r.int64(8),
                r.int64(9),
                known(INode.Content.of(r.int64(10)), r, 10),
                (int) r.int64(14),
                acl(r),
                r.string(16),
                r.int64(17));
        INode node = new INode(
                        r.key().int64(0), name, r.int64(0), traits, r.int64(5), r.int64(6), r.int64(7), r.int64(11))
                .withEra(r.int64(18), r.int64(19));
        return r.int64(12) == 0 ? node : node.withMark(new INode.SubtreeMark(r.int64(12), r.int64(13)));
    }

    /** Returns whether snapshots may hold the content of a row's file, or see what is below its directory. */
    public static boolean isInSnapshots(Row r) {
        return r.int64(19) > 0 || (r.int64(14) & INode.HELD) != 0;
    }

    private static @Nullable Acl acl(Row row) {
        try {
            return Acl.parse(row.string(15));
        } catch (FsException damaged) {
            throw unreadable(row, row.string(15), 15);
        }
    }

    private static INode.@Nullable Kind kind(long number) {
        return number < 0 || number >= KINDS.length ? null : KINDS[(int) number];
    }

    private static <E> E known(@Nullable E constant, Row row, int column) {
        if (constant == null) {
            throw unreadable(row, row.int64(column), column);
        }
        return constant;
    }

    private static FsException unreadable(Row row, Object value, int column) {
        return new FsException(
                ErrorCode.INTERNAL,
                "cannot read the row " + row.key() + ": " + value + " in column " + column
                        + " means nothing to this version; restore a backup");
    }

    public static Key listingKey(long directoryId) {
        return Schema.LISTINGS.key(directoryId);
    }

    public static Key statsKey(long directoryId) {
        return Schema.DIRECTORY_STATS.key(directoryId);
    }

    public static Row stats(long directoryId, DirectoryStats stats) {
        return new Row(statsKey(directoryId), stats.children(), stats.mtime());
    }

    public static DirectoryStats stats(@Nullable Row row) {
        return row == null ? DirectoryStats.EMPTY : new DirectoryStats(row.int64(0), row.int64(1));
    }

    /** Returns the delta to a directory's stats after a change of its children. */
    public static Mutation childrenChanged(long directoryId, long added, long mtime) {
        return new Mutation.Merge(
                statsKey(directoryId),
                List.of(new Delta(0, Delta.Kind.ADD, added), new Delta(1, Delta.Kind.MAX, mtime)));
    }

    public static Key totalsKey(long directoryId) {
        return Schema.DIRECTORY_TOTALS.key(directoryId);
    }

    public static DirectoryTotals totals(@Nullable Row row) {
        return row == null
                ? DirectoryTotals.NONE
                : new DirectoryTotals(row.int64(0), row.int64(1), row.int64(2), row.int64(3));
    }

    /** Returns a directory's limits, which are in the row of its totals. */
    public static Quota quota(@Nullable Row totals) {
        return totals == null ? Quota.UNLIMITED : new Quota(totals.int64(4), totals.int64(5));
    }

    /** Returns the delta that changes a directory's limits: whoever changes them has the directory's mark. */
    public static Mutation quotaChanged(long directoryId, Quota before, Quota after) {
        List<Delta> deltas = new ArrayList<>(2);
        add(4, after.names() - before.names(), deltas);
        add(5, after.space() - before.space(), deltas);
        return new Mutation.Merge(totalsKey(directoryId), deltas);
    }

    /** Returns the delta to a directory's totals, whatever its limits are. */
    public static Mutation totalsChanged(long directoryId, DirectoryTotals added) {
        return totalsChanged(directoryId, added, false);
    }

    /**
     * Returns the delta to a directory's totals.
     *
     * @param limited whether it is to be judged by the directory's limits
     */
    public static Mutation totalsChanged(long directoryId, DirectoryTotals added, boolean limited) {
        List<Delta> deltas = new ArrayList<>(4);
        add(0, added.files(), deltas);
        add(1, added.directories(), deltas);
        add(2, added.bytes(), deltas);
        add(3, added.space(), deltas);
        return new Mutation.Merge(totalsKey(directoryId), deltas, limited);
    }

    private static void add(int column, long added, List<Delta> deltas) {
        if (added != 0) {
            deltas.add(new Delta(column, Delta.Kind.ADD, added));
        }
    }

    /** Returns the key of a file's inline content, which during an append remains until the first block absorbs it. */
    public static Key contentKey(long inodeId) {
        return Schema.SMALL_FILES.key(inodeId, INode.INLINE_CONTENT);
    }

    /** Returns the key of a file in the list of files being written. */
    public static Key writtenKey(long inodeId) {
        return Schema.WRITTEN_FILES.key(0L, inodeId);
    }

    /** Returns the row that lists a file as being written. */
    public static Row written(INode file) {
        return new Row(writtenKey(file.id()), file.parentId(), file.name());
    }

    public static Key xattrsKey(long inodeId) {
        return Schema.XATTRS.key(inodeId);
    }

    public static Key locationKey(long inodeId) {
        return Schema.LOCATIONS.key(inodeId);
    }

    /** Returns the row with an INode's location. */
    public static Row location(INode node) {
        return new Row(locationKey(node.id()), node.parentId(), node.name());
    }

    /** Returns the row of a detached file in blocks, which no longer has a path. */
    public static Row detachedFile(INode file) {
        return new Row(Schema.DETACHED_FILES.key(0L, file.id()), file.contentId());
    }

    /** Returns the key of a directory in the list of those of which snapshots may be made. */
    public static Key snapshottableKey(long directoryId) {
        return Schema.SNAPSHOTTABLES.key(0L, directoryId);
    }

    public static Key instanceKey(long epoch) {
        return Schema.INSTANCES.key(epoch);
    }

    /**
     * Returns the newest {@link io.lambdafs.store.format.FormatLevel} that an instance's build reads, given its row of {@link Schema#INSTANCES}.
     */
    public static long readsUpTo(Row instance) {
        return instance.int64(3);
    }

    /** Returns an epoch's key in the list of epochs, in addition to its {@link #instanceKey}. */
    public static Key epochKey(long epoch) {
        return Schema.EPOCHS.key(0L, epoch);
    }

    public static Key slotKey(String client, int slot) {
        return Schema.SLOTS.key(client, (long) slot);
    }
}
