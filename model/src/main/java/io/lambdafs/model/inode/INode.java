package io.lambdafs.model.inode;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file or directory as stored, keyed by (parent id, name). Immutable. A directory's modification time and child count
 * change with every child and are kept separately, in {@link DirectoryStats}; its {@code mtime} here is only its
 * creation time. Attributes common to many INodes are in {@link Traits}, which INodes may share.
 */
public final class INode {
    public static final long ROOT_ID = 1;
    /** The hidden directory whose children are detached trees awaiting reclaim. */
    public static final long RECLAIM_ID = 2;
    /** Ids below are reserved. */
    public static final long FIRST_FREE_ID = 1_000;

    public static final int MAX_MODE = 01777;
    public static final int STICKY = 01000;
    /** Flag in {@link Traits#extras}: the INode has extended attributes. */
    public static final int XATTRS = 1;
    /** Flag in {@link Traits#extras}: the directory has a {@link Quota}. */
    public static final int QUOTA = 2;
    /** Flag in {@link Traits#extras}: snapshots of the directory may be made. */
    public static final int SNAPSHOTTABLE = 4;
    /** Flag in {@link Traits#extras}: snapshots may hold the file's content. */
    public static final int HELD = 8;
    /** Flag in {@link Traits#extras}: no snapshots but the directory's own can see what is below it. */
    public static final int ALONE = 16;

    /** File or directory. */
    public enum Kind {
        FILE,
        DIRECTORY
    }

    /** Where a file's bytes are. */
    public enum Content {
        /** A directory, or an empty file. */
        NONE(0),
        /** With the metadata, in the store. */
        INLINE(1),
        /** Imported by name and attributes only; reading it is refused. */
        ABSENT(3),
        /** In blocks, which datanodes serve. */
        BLOCKS(4),
        /** In blocks, with a writer adding more; the size counts complete blocks only. */
        WRITING(5);

        /** Number 2 used to mean an empty file not yet closed by its writer. */
        private static final Content[] BY_NUMBER = {NONE, INLINE, NONE, ABSENT, BLOCKS, WRITING};

        private final int number;

        Content(int number) {
            this.number = number;
        }

        public boolean isInBlocks() {
            return this == BLOCKS || this == WRITING;
        }

        /** Returns the number used in rows and messages. */
        public int number() {
            return number;
        }

        /** Returns the content kind with a number; null if there is none. */
        public static @Nullable Content of(long number) {
            return number < 0 || number >= BY_NUMBER.length ? null : BY_NUMBER[(int) number];
        }
    }

    /**
     * Attributes that many INodes have in common, as one shareable object. Immutable.
     *
     * @param mode permission bits, 0–01777
     * @param replication block replicas; 0 for a directory
     * @param blockSize bytes; 0 for a directory
     * @param content where a file's bytes are
     * @param extras flags for data in separate rows, {@link #XATTRS}, {@link #QUOTA}, {@link #SNAPSHOTTABLE}, {@link #HELD} and
     *     {@link #ALONE}; 0 for none
     * @param acl entries beyond the mode; null for none
     * @param storagePolicy name of the policy that places blocks ({@link StoragePolicies}); empty to inherit the
     *     directory's
     * @param reserved by how many bytes the block that a writer has allocated may still make the file longer; 0 for none
     */
    public record Traits(
            Kind kind,
            String owner,
            String group,
            int mode,
            int replication,
            long blockSize,
            Content content,
            int extras,
            @Nullable Acl acl,
            String storagePolicy,
            long reserved) {
        public Traits(
                Kind kind, String owner, String group, int mode, int replication, long blockSize, Content content) {
            this(kind, owner, group, mode, replication, blockSize, content, 0, null, "", 0);
        }

        /**
         * Returns the traits as replies carry them: an ACL reduced to its existence, no storage policy, and nothing
         * reserved.
         */
        Traits told() {
            return acl == null && storagePolicy.isEmpty() && reserved == 0
                    ? this
                    : new Traits(
                            kind,
                            owner,
                            group,
                            mode,
                            replication,
                            blockSize,
                            content,
                            extras,
                            acl == null ? null : Acl.UNTOLD,
                            "",
                            0);
        }

        // Written by hand: a record's generated methods are linked on first use, which costs milliseconds of an
        // instance's start.

        @Override
        public int hashCode() {
            int hash = kind.hashCode();
            hash = 31 * hash + owner.hashCode();
            hash = 31 * hash + group.hashCode();
            hash = 31 * hash + mode;
            hash = 31 * hash + replication;
            hash = 31 * hash + Long.hashCode(blockSize);
            hash = 31 * hash + content.hashCode();
            hash = 31 * hash + extras;
            hash = 31 * hash + (acl == null ? 0 : acl.hashCode());
            hash = 31 * hash + storagePolicy.hashCode();
            return 31 * hash + Long.hashCode(reserved);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Traits that
                    && kind == that.kind
                    && owner.equals(that.owner)
                    && group.equals(that.group)
                    && mode == that.mode
                    && replication == that.replication
                    && blockSize == that.blockSize
                    && content == that.content
                    && extras == that.extras
                    && Objects.equals(acl, that.acl)
                    && storagePolicy.equals(that.storagePolicy)
                    && reserved == that.reserved;
        }
    }

    /** A mutable copy of traits: the only place that copies them. */
    private static final class Draft {
        private final Kind kind;
        private final long blockSize;
        private String owner;
        private String group;
        private int mode;
        private int replication;
        private Content content;
        private int extras;
        private @Nullable Acl acl;
        private String storagePolicy;
        private long reserved;

        Draft(Traits of) {
            kind = of.kind;
            owner = of.owner;
            group = of.group;
            mode = of.mode;
            replication = of.replication;
            blockSize = of.blockSize;
            content = of.content;
            extras = of.extras;
            acl = of.acl;
            storagePolicy = of.storagePolicy;
            reserved = of.reserved;
        }

        Traits traits() {
            return new Traits(
                    kind, owner, group, mode, replication, blockSize, content, extras, acl, storagePolicy, reserved);
        }
    }

    /**
     * The mark that a subtree operation leaves on an INode it holds. Immutable.
     *
     * @param operation its id; not 0
     * @param epoch of the instance that performs it
     */
    public record SubtreeMark(long operation, long epoch) {}

    /**
     * The numbers that snapshots need of an INode (PROTOCOL: V2). Immutable.
     *
     * @param stamp the number of the last snapshot that could see the place of the INode when it was written: later ones see it as it is
     * @param floor of a directory: the number of the last snapshot that may see what is below; 0 for none
     */
    record Era(long stamp, long floor) {
        static final Era NONE = new Era(0, 0);
    }

    /** The content id of inline content; a file that has had a writer lease uses its last generation instead. */
    public static final long INLINE_CONTENT = 1;

    private final long parentId;
    private final String name;
    private final long id;
    private final Traits traits;
    private final long size;
    private final long mtime;
    private final long atime;
    private final long contentId;
    private final @Nullable SubtreeMark mark;
    private final Era era;

    /**
     * Creates an INode not held by any subtree operation.
     *
     * @param parentId id of the parent; 0 for the root
     * @param name last path component; empty for the root
     * @param id unique, never reused; {@value #ROOT_ID} for the root
     * @param size bytes; 0 for a directory
     * @param mtime milliseconds since 1970
     * @param atime milliseconds since 1970
     * @param contentId the generation of the last writer lease, or {@link #INLINE_CONTENT} for content written without
     *     one; 0 if there is neither
     */
    public INode(
            long parentId, String name, long id, Traits traits, long size, long mtime, long atime, long contentId) {
        this(parentId, name, id, traits, size, mtime, atime, contentId, null, Era.NONE);
    }

    private INode(
            long parentId,
            String name,
            long id,
            Traits traits,
            long size,
            long mtime,
            long atime,
            long contentId,
            @Nullable SubtreeMark mark,
            Era era) {
        this.parentId = parentId;
        this.name = name;
        this.id = id;
        this.traits = traits;
        this.size = size;
        this.mtime = mtime;
        this.atime = atime;
        this.contentId = contentId;
        this.mark = mark;
        this.era = era;
    }

    /** Creates a directory not held by any subtree operation. Its access time is 0 until set, as in HDFS. */
    public static INode directory(
            long parentId, String name, long id, String owner, String group, int mode, long time) {
        Traits traits = new Traits(Kind.DIRECTORY, owner, group, mode, 0, 0, Content.NONE);
        return new INode(parentId, name, id, traits, 0, time, 0, 0);
    }

    public long parentId() {
        return parentId;
    }

    public String name() {
        return name;
    }

    public long id() {
        return id;
    }

    public Traits traits() {
        return traits;
    }

    public Kind kind() {
        return traits.kind();
    }

    public String owner() {
        return traits.owner();
    }

    public String group() {
        return traits.group();
    }

    public int mode() {
        return traits.mode();
    }

    public long size() {
        return size;
    }

    public long mtime() {
        return mtime;
    }

    public long atime() {
        return atime;
    }

    public int replication() {
        return traits.replication();
    }

    public long blockSize() {
        return traits.blockSize();
    }

    public Content content() {
        return traits.content();
    }

    public long contentId() {
        return contentId;
    }

    /** Returns the mark of the subtree operation that holds it; null if none. A marked INode is never cached. */
    public @Nullable SubtreeMark mark() {
        return mark;
    }

    public boolean isDirectory() {
        return traits.kind() == Kind.DIRECTORY;
    }

    public boolean isFile() {
        return traits.kind() == Kind.FILE;
    }

    /** Returns whether the INode has extended attributes. */
    public boolean hasXattrs() {
        return (traits.extras() & XATTRS) != 0;
    }

    /** Returns whether the directory has a {@link Quota}. */
    public boolean hasQuota() {
        return (traits.extras() & QUOTA) != 0;
    }

    /** Returns whether snapshots of the directory may be made. */
    public boolean isSnapshottable() {
        return (traits.extras() & SNAPSHOTTABLE) != 0;
    }

    /** Returns whether snapshots may hold the file's content. */
    public boolean isHeld() {
        return (traits.extras() & HELD) != 0;
    }

    /** Returns the number of the last snapshot that does not see the INode as it is; 0 for none. */
    public long stamp() {
        return era.stamp();
    }

    /** Returns the number of the last snapshot that may see what is below the directory; 0 for none. */
    public long floor() {
        return era.floor();
    }

    /** Returns whether any subtree operation holds the INode. */
    public boolean isFlagged() {
        return mark != null;
    }

    /** Returns whether the given subtree operation holds the INode. */
    public boolean isMarkedBy(long operation) {
        return mark != null && mark.operation() == operation;
    }

    public INode withLocation(long newParentId, String newName) {
        return new INode(newParentId, newName, id, traits, size, mtime, atime, contentId, mark, era);
    }

    public INode withTraits(Traits newTraits) {
        return new INode(parentId, name, id, newTraits, size, mtime, atime, contentId, mark, era);
    }

    public INode withMode(int newMode) {
        Draft draft = new Draft(traits);
        draft.mode = newMode;
        return withTraits(draft.traits());
    }

    public INode withOwner(String newOwner, String newGroup) {
        Draft draft = new Draft(traits);
        draft.owner = newOwner;
        draft.group = newGroup;
        return withTraits(draft.traits());
    }

    public INode withTimes(long newMtime, long newAtime) {
        return new INode(parentId, name, id, traits, size, newMtime, newAtime, contentId, mark, era);
    }

    public INode withReplication(int newReplication) {
        Draft draft = new Draft(traits);
        draft.replication = newReplication;
        return withTraits(draft.traits());
    }

    public INode withXattrs(boolean has) {
        return withExtra(XATTRS, has);
    }

    public INode withQuota(boolean has) {
        return withExtra(QUOTA, has);
    }

    public INode withSnapshottable(boolean is) {
        return withExtra(SNAPSHOTTABLE, is);
    }

    /** Returns whether no snapshots but the directory's own, as far as the directory itself says, can see what is below it. */
    public boolean isAlone() {
        return (traits.extras() & ALONE) != 0;
    }

    public INode withAlone(boolean is) {
        return is == isAlone() ? this : withExtra(ALONE, is);
    }

    public INode withHeld(boolean is) {
        return is == isHeld() ? this : withExtra(HELD, is);
    }

    public INode withEra(long stamp, long floor) {
        return stamp == stamp() && floor == floor()
                ? this
                : new INode(
                        parentId,
                        name,
                        id,
                        traits,
                        size,
                        mtime,
                        atime,
                        contentId,
                        mark,
                        stamp == 0 && floor == 0 ? Era.NONE : new Era(stamp, floor));
    }

    private INode withExtra(int flag, boolean has) {
        Draft draft = new Draft(traits);
        draft.extras = has ? traits.extras() | flag : traits.extras() & ~flag;
        return withTraits(draft.traits());
    }

    /** Returns a copy with so many bytes reserved for the block that its writer has allocated. */
    public INode withReserved(long bytes) {
        Draft draft = new Draft(traits);
        draft.reserved = bytes;
        return withTraits(draft.traits());
    }

    /** Returns a copy with an ACL, whose mask is in the mode. */
    public INode withAcl(@Nullable Acl newAcl, int newMode) {
        Draft draft = new Draft(traits);
        draft.acl = newAcl;
        draft.mode = newMode;
        return withTraits(draft.traits());
    }

    /** Returns a copy with its own storage policy; an empty name removes it. */
    public INode withStoragePolicy(String policy) {
        Draft draft = new Draft(traits);
        draft.storagePolicy = policy;
        return withTraits(draft.traits());
    }

    /** Returns a copy with another content, which has nothing reserved. */
    public INode withContent(Content newContent, long newContentId, long newSize, long newMtime) {
        Draft draft = new Draft(traits);
        draft.content = newContent;
        draft.reserved = 0;
        return new INode(parentId, name, id, draft.traits(), newSize, newMtime, atime, newContentId, mark, era);
    }

    public INode withMark(@Nullable SubtreeMark newMark) {
        return new INode(parentId, name, id, traits, size, mtime, atime, contentId, newMark, era);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof INode node
                && id == node.id
                && parentId == node.parentId
                && size == node.size
                && mtime == node.mtime
                && atime == node.atime
                && contentId == node.contentId
                && name.equals(node.name)
                && traits.equals(node.traits)
                && Objects.equals(mark, node.mark)
                && stamp() == node.stamp()
                && floor() == node.floor();
    }

    @Override
    public int hashCode() {
        return Objects.hash(parentId, name, id, traits, size, mtime, atime, contentId, mark, era);
    }

    @Override
    public String toString() {
        return "INode[parentId=" + parentId + ", name=" + name + ", id=" + id + ", size=" + size + ", mtime=" + mtime
                + ", atime=" + atime + ", contentId=" + contentId + ", " + traits
                + (mark == null ? "" : ", " + mark)
                + (stamp() == 0 && floor() == 0 ? "" : ", stamp=" + stamp() + ", floor=" + floor()) + "]";
    }
}
