package io.lambdafs.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One file or directory as the store keeps it, keyed by (parent id, name). Immutable. A directory's own modification time and
 * child count change with every child and live apart, as {@link DirectoryStats}; {@code mtime} here is only the time
 * that the directory was made. What many INodes have in common is an object of its own, {@link Traits}, which they may share.
 */
public final class INode {
    public static final long ROOT_ID = 1;
    /** The hidden directory whose children are detached trees that wait for reclaim. */
    public static final long RECLAIM_ID = 2;
    /** Ids below are reserved. */
    public static final long FIRST_FREE_ID = 1_000;

    public static final int MAX_MODE = 01777;
    public static final int STICKY = 01000;
    /** In {@link Traits#extras}: extended attributes. */
    public static final int XATTRS = 1;

    /** What an INode is. */
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
        /** In blocks, and a writer adds more: its size is that of the blocks that are complete. */
        WRITING(5);

        /** 2 was an empty file that its writer had not closed. */
        private static final Content[] BY_NUMBER = {NONE, INLINE, NONE, ABSENT, BLOCKS, WRITING};

        private final int number;

        Content(int number) {
            this.number = number;
        }

        public boolean isInBlocks() {
            return this == BLOCKS || this == WRITING;
        }

        /** What stands for it in rows and messages. */
        public int number() {
            return number;
        }

        /** What a number stands for; null where it means nothing. */
        public static @Nullable Content of(long number) {
            return number < 0 || number >= BY_NUMBER.length ? null : BY_NUMBER[(int) number];
        }
    }

    /**
     * What many INodes have in common. Immutable.
     *
     * @param mode permission bits, 0–01777
     * @param replication block replicas; 0 for a directory
     * @param blockSize bytes; 0 for a directory
     * @param content where a file's bytes are
     * @param extras what it has in rows of its own, {@link #XATTRS}; 0 for nothing
     * @param acl what it allows beyond its mode; null for nothing
     * @param storagePolicy name of the policy that places blocks ({@link StoragePolicies}); empty for that of its directory
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
            String storagePolicy) {
        public Traits(
                Kind kind, String owner, String group, int mode, int replication, long blockSize, Content content) {
            this(kind, owner, group, mode, replication, blockSize, content, 0, null, "");
        }

        /** Returns the same where of an ACL only that there is one is told, and of a policy nothing. */
        Traits told() {
            return acl == null && storagePolicy.isEmpty()
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
                            "");
        }

        // Written out: those of a record are linked where they are first used, which takes milliseconds of an
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
            return 31 * hash + storagePolicy.hashCode();
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
                    && storagePolicy.equals(that.storagePolicy);
        }
    }

    /** Traits that are being changed: the one place that copies them. */
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
        }

        Traits traits() {
            return new Traits(kind, owner, group, mode, replication, blockSize, content, extras, acl, storagePolicy);
        }
    }

    /**
     * The mark of a subtree operation on an INode that it holds. Immutable.
     *
     * @param operation its id; not 0
     * @param epoch of the instance that performs it
     */
    public record SubtreeMark(long operation, long epoch) {}

    /** The least content id of what is kept with the metadata; of a file that has had a writer lease, the generation of the last one. */
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

    /**
     * An INode that no subtree operation holds.
     *
     * @param parentId id of the parent; 0 for the root
     * @param name last path component; empty for the root
     * @param id unique, never reused; {@value #ROOT_ID} for the root
     * @param size bytes; 0 for a directory
     * @param mtime milliseconds since 1970
     * @param atime milliseconds since 1970
     * @param contentId the generation of the last writer lease, or {@link #INLINE_CONTENT} of a content for which none was needed; 0 where there is
     *     neither
     */
    public INode(
            long parentId, String name, long id, Traits traits, long size, long mtime, long atime, long contentId) {
        this(parentId, name, id, traits, size, mtime, atime, contentId, null);
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
            @Nullable SubtreeMark mark) {
        this.parentId = parentId;
        this.name = name;
        this.id = id;
        this.traits = traits;
        this.size = size;
        this.mtime = mtime;
        this.atime = atime;
        this.contentId = contentId;
        this.mark = mark;
    }

    /** A directory that nothing holds. Its access time is 0 until it is set, as in HDFS. */
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

    /** The mark of the subtree operation that holds it; null for none. An INode with one is cached in no role. */
    public @Nullable SubtreeMark mark() {
        return mark;
    }

    public boolean isDirectory() {
        return traits.kind() == Kind.DIRECTORY;
    }

    public boolean isFile() {
        return traits.kind() == Kind.FILE;
    }

    /** Returns whether it has extended attributes. */
    public boolean hasXattrs() {
        return (traits.extras() & XATTRS) != 0;
    }

    /** Returns whether a subtree operation holds it. */
    public boolean isFlagged() {
        return mark != null;
    }

    /** Whether that subtree operation holds it. */
    public boolean isMarkedBy(long operation) {
        return mark != null && mark.operation() == operation;
    }

    public INode withLocation(long newParentId, String newName) {
        return new INode(newParentId, newName, id, traits, size, mtime, atime, contentId, mark);
    }

    public INode withTraits(Traits newTraits) {
        return new INode(parentId, name, id, newTraits, size, mtime, atime, contentId, mark);
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
        return new INode(parentId, name, id, traits, size, newMtime, newAtime, contentId, mark);
    }

    public INode withReplication(int newReplication) {
        Draft draft = new Draft(traits);
        draft.replication = newReplication;
        return withTraits(draft.traits());
    }

    public INode withXattrs(boolean has) {
        Draft draft = new Draft(traits);
        draft.extras = has ? traits.extras() | XATTRS : traits.extras() & ~XATTRS;
        return withTraits(draft.traits());
    }

    /** With an ACL, whose mask is in the mode. */
    public INode withAcl(@Nullable Acl newAcl, int newMode) {
        Draft draft = new Draft(traits);
        draft.acl = newAcl;
        draft.mode = newMode;
        return withTraits(draft.traits());
    }

    /** With a storage policy of its own; none where it is empty. */
    public INode withStoragePolicy(String policy) {
        Draft draft = new Draft(traits);
        draft.storagePolicy = policy;
        return withTraits(draft.traits());
    }

    public INode withContent(Content newContent, long newContentId, long newSize, long newMtime) {
        Draft draft = new Draft(traits);
        draft.content = newContent;
        return new INode(parentId, name, id, draft.traits(), newSize, newMtime, atime, newContentId, mark);
    }

    public INode withMark(@Nullable SubtreeMark newMark) {
        return new INode(parentId, name, id, traits, size, mtime, atime, contentId, newMark);
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
                && Objects.equals(mark, node.mark);
    }

    @Override
    public int hashCode() {
        return Objects.hash(parentId, name, id, traits, size, mtime, atime, contentId, mark);
    }

    @Override
    public String toString() {
        return "INode[parentId=" + parentId + ", name=" + name + ", id=" + id + ", size=" + size + ", mtime=" + mtime
                + ", atime=" + atime + ", contentId=" + contentId + ", " + traits
                + (mark == null ? "" : ", " + mark) + "]";
    }
}
