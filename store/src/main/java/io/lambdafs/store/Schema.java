package io.lambdafs.store;

import static io.lambdafs.store.Column.bytes;
import static io.lambdafs.store.Column.int64;
import static io.lambdafs.store.Column.string;

import java.util.List;

/**
 * The tables of all engines. Normalised as in HopsFS: INodes are keyed by (parent id, name) and partitioned by parent,
 * so a listing reads one partition; data belonging to an INode is partitioned by its id. Ranks define the lock order:
 * the instance's epoch, the request's slot, the table of active subtree operations, then the namespace.
 */
public final class Schema {
    /** Format and settings of the file system: one row per setting. */
    public static final Table SETTINGS = new Table(1, "settings", 0, List.of(string("name")), List.of(string("value")));

    /**
     * The next free number of each sequence ({@code "inode"}, {@code "epoch"}, {@code "operation"}, {@code "snapshot"}, {@code "change"}), and with {@code
     * "change.trimmed"} the last position of the change log that has been removed.
     */
    public static final Table SEQUENCES = new Table(2, "sequences", 0, List.of(string("name")), List.of(int64("next")));

    /**
     * Live epochs. A writing transaction reads its epoch's row under a shared lock; a fence removes it. The
     * store-backed coordinator also keeps the right to renew a lease here, under a number of its own. {@code
     * reads_level}: the newest {@link io.lambdafs.store.format.FormatLevel} that the instance's build reads.
     */
    public static final Table INSTANCES = new Table(
                    3,
                    "instances",
                    1,
                    List.of(int64("epoch")),
                    List.of(
                            int64("deployment"),
                            string("instance"),
                            int64("joined_millis"),
                            int64("reads_level").orElse(1L)))
            .ofProcesses();

    /** The last request and its result for each slot of a client session. */
    public static final Table SLOTS = new Table(
            4,
            "slots",
            2,
            List.of(string("client"), int64("slot")),
            List.of(int64("sequence"), bytes("result"), int64("expires_millis")));

    /**
     * Active subtree operations, in one partition (0): a row per path. The row with the empty path only serves as a
     * lock.
     */
    public static final Table SUBTREE_OPERATIONS = new Table(
            5,
            "subtree_operations",
            3,
            List.of(int64("partition"), string("path")),
            List.of(int64("operation"), int64("epoch"), string("kind"), int64("parent_id"), string("name")));

    /**
     * Locks on directories' sets of children: shared by writers of a child, exclusive by a scan that fills the cache.
     * Has no rows.
     */
    public static final Table LISTINGS = new Table(6, "listings", 4, List.of(int64("directory_id")), List.of());

    public static final Table INODES = new Table(
            7,
            "inodes",
            4,
            List.of(int64("parent_id"), string("name")),
            List.of(
                    int64("id"),
                    int64("kind"),
                    string("owner"),
                    string("group"),
                    int64("mode"),
                    int64("size"),
                    int64("mtime"),
                    int64("atime"),
                    int64("replication"),
                    int64("block_size"),
                    int64("content"),
                    int64("content_id"),
                    int64("subtree_op"),
                    int64("subtree_epoch"),
                    int64("extras").orElse(0L),
                    string("acl").orElse(""),
                    string("storage_policy").orElse(""),
                    int64("reserved").orElse(0L),
                    int64("stamp").orElse(0L),
                    int64("floor").orElse(0L)));

    /** Child count and last modification time of each directory, updated by deltas. */
    public static final Table DIRECTORY_STATS = new Table(
            8, "directory_stats", 5, List.of(int64("directory_id")), List.of(int64("children"), int64("mtime")));

    /**
     * Contents of small files, under content id 1. Immutable: a file gets its content once, and may later show less of
     * it.
     */
    public static final Table SMALL_FILES =
            new Table(9, "small_files", 5, List.of(int64("inode_id"), int64("content_id")), List.of(bytes("content")));

    /** Client sessions with slots, in one partition (0), and the earliest expiry of their last reply. */
    public static final Table CLIENTS = new Table(
            10, "clients", 6, List.of(int64("partition"), string("client")), List.of(int64("expires_millis")));

    /**
     * The epochs taken and not fenced, in one partition (0) so that they can be listed, each with its deployment
     * generation.
     */
    public static final Table EPOCHS = new Table(
                    11,
                    "epochs",
                    6,
                    List.of(int64("partition"), int64("epoch")),
                    List.of(int64("deployment"), int64("generation").orElse(0L)))
            .ofProcesses();

    /**
     * The members kept by the store-backed coordinator, in one partition (0). {@code renewals} counts lease renewals,
     * by deltas. {@code flags}: 1 once renewals have stopped for longer than a coordinator's session, 2 if the member
     * caches nothing. {@code generation}: of the deployments at its join.
     */
    public static final Table MEMBERS = new Table(
                    12,
                    "members",
                    7,
                    List.of(int64("partition"), int64("epoch")),
                    List.of(
                            int64("deployment"),
                            string("instance"),
                            string("host"),
                            int64("port"),
                            int64("renewals"),
                            int64("flags"),
                            int64("generation").orElse(0L)))
            .ofProcesses();

    /**
     * Messages to members, keyed by the addressee's epoch: with content until answered, then with the answer instead.
     */
    public static final Table LETTERS = new Table(
                    13,
                    "letters",
                    8,
                    List.of(int64("epoch"), string("name")),
                    List.of(int64("answered"), bytes("content"), bytes("answer")))
            .ofProcesses();

    /**
     * The datanodes, in one partition (0): address, block store, state ({@link io.lambdafs.store.block.Datanode.State}) and last heartbeat by
     * the datanode's wall clock.
     */
    public static final Table DATANODES = new Table(
                    14,
                    "datanodes",
                    8,
                    List.of(int64("partition"), string("id")),
                    List.of(
                            string("host"),
                            int64("port"),
                            string("store"),
                            int64("state"),
                            int64("capacity_bytes"),
                            int64("free_bytes"),
                            int64("heartbeat_millis")))
            .ofProcesses();

    /**
     * Locations of INodes that may be looked up by id: {@code parent_id} and {@code name} are the key in {@link
     * #INODES}. Every directory below the root has a row until it is detached; a file has one only if moved while being
     * written, until it is closed.
     */
    public static final Table LOCATIONS =
            new Table(15, "locations", 8, List.of(int64("inode_id")), List.of(int64("parent_id"), string("name")));

    /**
     * The blocks of files, by index in the file ({@link io.lambdafs.store.block.StoredBlock}); guarded by the lock of the file's row. {@code
     * shown}: the number of its bytes that the file shows; -1 for all.
     */
    public static final Table BLOCKS = new Table(
            16,
            "blocks",
            8,
            List.of(int64("inode_id"), int64("index")),
            List.of(
                    int64("block_id"),
                    int64("generation"),
                    int64("length"),
                    int64("crc"),
                    string("store"),
                    string("key"),
                    int64("state"),
                    int64("shown").orElse(-1L)));

    /**
     * The writer leases of files being written ({@link io.lambdafs.store.block.WriterLease}); each guarded by the lock of the file's row, which
     * holds the generation.
     */
    public static final Table WRITER_LEASES = new Table(
            17,
            "writer_leases",
            8,
            List.of(int64("inode_id")),
            List.of(string("holder"), int64("generation"), int64("renewed_millis")));

    /** Detached files in blocks, in one partition (0), until their blocks are listed as invalid. */
    public static final Table DETACHED_FILES = new Table(
            18, "detached_files", 8, List.of(int64("partition"), int64("inode_id")), List.of(int64("generation")));

    /**
     * Objects that no file needs, by block store. The object is deleted first, then the row, and not before the given
     * time: until then a client may still be reading the object, or hold a token that could write it again.
     */
    public static final Table INVALID_BLOCKS = new Table(
            19, "invalid_blocks", 8, List.of(string("store"), string("key")), List.of(int64("not_before_millis")));

    /**
     * The files being written, in one partition (0) so that they can be scanned, with their location when the writer
     * lease was taken. Builds of format level 2 write no rows and leave others' rows behind.
     */
    public static final Table WRITTEN_FILES = new Table(
            20,
            "written_files",
            8,
            List.of(int64("partition"), int64("inode_id")),
            List.of(int64("parent_id"), string("name")));

    /** The extended attributes of INodes that are flagged as having some; guarded by the lock of the INode's row. */
    public static final Table XATTRS =
            new Table(21, "xattrs", 8, List.of(int64("inode_id")), List.of(bytes("attributes")));

    /**
     * The change log, in one partition (0), by position ({@link Change}). Rows are only appended, by {@link
     * Mutation.Append}, and removed from the beginning.
     */
    public static final Table CHANGES = new Table(
            22,
            "changes",
            8,
            List.of(int64("partition"), int64("position")),
            List.of(
                    int64("kind"),
                    int64("inode_id"),
                    int64("directory"),
                    string("path"),
                    string("destination"),
                    int64("replaced_id"),
                    string("user"),
                    int64("at_millis"),
                    int64("client_high"),
                    int64("client_low"),
                    int64("slot"),
                    int64("sequence")));

    /**
     * The last report on each of a block store's 256 key buckets ({@link io.lambdafs.store.block.BlockReport}). Builds without reports ignore
     * them.
     */
    public static final Table BLOCK_REPORTS = new Table(
                    23,
                    "block_reports",
                    8,
                    List.of(string("store"), int64("bucket")),
                    List.of(
                            int64("objects"),
                            int64("bytes"),
                            int64("hash"),
                            int64("faults"),
                            int64("orphans"),
                            string("datanode"),
                            int64("began_millis"),
                            int64("ended_millis"),
                            string("scanned")))
            .ofProcesses();

    /**
     * Written blocks whose objects are missing or damaged according to their bucket's last report ({@link io.lambdafs.store.block.BlockFault}).
     */
    public static final Table BLOCK_FAULTS = new Table(
                    24,
                    "block_faults",
                    8,
                    List.of(string("store"), string("key")),
                    List.of(int64("inode_id"), int64("index"), string("why"), int64("found_millis")))
            .ofProcesses();

    /**
     * Totals of all that is below each directory ({@link io.lambdafs.model.inode.DirectoryTotals}), updated by deltas; a
     * directory without a row has nothing below it. Exact where {@link io.lambdafs.store.format.TotalsState} says so.
     * The limits are those of {@link io.lambdafs.model.inode.Quota}.
     */
    public static final Table DIRECTORY_TOTALS = new Table(
            25,
            "directory_totals",
            5,
            List.of(int64("directory_id")),
            List.of(
                    int64("files"),
                    int64("directories"),
                    int64("bytes"),
                    int64("space"),
                    int64("names_limit").orElse(-1L),
                    int64("space_limit").orElse(-1L)));

    /**
     * The former rows of {@link #INODES}, for the snapshots that see them ({@link io.lambdafs.store.snapshot.Version}): {@code version} is
     * the name, a NUL, and the number of the last such snapshot. The other columns are those of {@link #INODES}.
     */
    public static final Table VERSIONS =
            new Table(26, "versions", 8, List.of(int64("parent_id"), string("version")), INODES.valueColumns());

    /** Counts and totals of directories, for the snapshots that see those: {@code snapshot} is the last one. */
    public static final Table DIRECTORY_VERSIONS = new Table(
            27,
            "directory_versions",
            8,
            List.of(int64("directory_id"), int64("snapshot")),
            List.of(
                    int64("children"),
                    int64("mtime"),
                    int64("files"),
                    int64("directories"),
                    int64("bytes"),
                    int64("space")));

    /**
     * Each row of {@link #VERSIONS} and {@link #DIRECTORY_VERSIONS}, by the last snapshot that may see it, so that its
     * deletion finds them without a walk ({@link io.lambdafs.store.snapshot.Kept}).
     */
    public static final Table KEPT = new Table(
            28,
            "kept",
            8,
            List.of(int64("snapshot"), string("row")),
            List.of(
                    int64("owner"),
                    string("version"),
                    int64("number"),
                    int64("stamp"),
                    int64("top"),
                    int64("held_id")));

    /** The snapshots of directories, by name. */
    public static final Table SNAPSHOTS = new Table(
            29,
            "snapshots",
            8,
            List.of(int64("directory_id"), string("name")),
            List.of(int64("number"), int64("created_millis")));

    /**
     * All snapshots ever made, in one partition (0): of which directory, and whether there still is one. {@code writes} counts, by deltas,
     * the commits that have added to its rows of {@link #KEPT} since these were last looked through.
     */
    public static final Table SNAPSHOT_NUMBERS = new Table(
            30,
            "snapshot_numbers",
            8,
            List.of(int64("partition"), int64("number")),
            List.of(int64("directory_id"), int64("live"), int64("writes")));

    /** The directories of which snapshots may be made, in one partition (0). */
    public static final Table SNAPSHOTTABLES = new Table(
            31,
            "snapshottables",
            8,
            List.of(int64("partition"), int64("directory_id")),
            List.of(int64("allowed_millis")));

    /**
     * Files whose content snapshots hold: in how many rows of {@link #VERSIONS}, counted by deltas, and whether the file
     * itself is gone.
     */
    public static final Table HELD_FILES =
            new Table(32, "held_files", 8, List.of(int64("inode_id")), List.of(int64("versions"), int64("gone")));

    /** All tables in number order. */
    public static final List<Table> TABLES = List.of(
            SETTINGS,
            SEQUENCES,
            INSTANCES,
            SLOTS,
            SUBTREE_OPERATIONS,
            LISTINGS,
            INODES,
            DIRECTORY_STATS,
            SMALL_FILES,
            CLIENTS,
            EPOCHS,
            MEMBERS,
            LETTERS,
            DATANODES,
            LOCATIONS,
            BLOCKS,
            WRITER_LEASES,
            DETACHED_FILES,
            INVALID_BLOCKS,
            WRITTEN_FILES,
            XATTRS,
            CHANGES,
            BLOCK_REPORTS,
            BLOCK_FAULTS,
            DIRECTORY_TOTALS,
            VERSIONS,
            DIRECTORY_VERSIONS,
            KEPT,
            SNAPSHOTS,
            SNAPSHOT_NUMBERS,
            SNAPSHOTTABLES,
            HELD_FILES);

    /** Column of {@link #DIRECTORY_STATS}. */
    static final int CHILDREN = 0;

    private Schema() {}

    /** Returns the table with a number; throws {@code IllegalArgumentException} if there is none. */
    public static Table table(int number) {
        if (number < 1 || number > TABLES.size()) {
            throw new IllegalArgumentException("no table has the number " + number);
        }
        return TABLES.get(number - 1);
    }
}
