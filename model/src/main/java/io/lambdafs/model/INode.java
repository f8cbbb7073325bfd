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
     * @param subtreeOp id of the subtree operation that holds this INode; 0 for none. An INode with one is cached in no role.
     * @param subtreeEpoch epoch of the instance that performs it; 0 for none
     */
    public record Traits(
            Kind kind,
            String owner,
            String group,
            int mode,
            int replication,
            long blockSize,
            Content content,
            long subtreeOp,
            long subtreeEpoch) {
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
            hash = 31 * hash + Long.hashCode(subtreeOp);
            return 31 * hash + Long.hashCode(subtreeEpoch);
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
                    && subtreeOp == that.subtreeOp
                    && subtreeEpoch == that.subtreeEpoch;
        }
    }

    private final long parentId;
    private final String name;
    private final long id;
    private final Traits traits;
    private final long size;
    private final long mtime;
    private final long atime;
    private final long contentId;

    /**
     * An INode of these attributes.
     *
     * @param parentId id of the parent; 0 for the root
     * @param name last path component; empty for the root
     * @param id unique, never reused; {@value #ROOT_ID} for the root
     * @param size bytes; 0 for a directory
     * @param mtime milliseconds since 1970
     * @param atime milliseconds since 1970
     * @param contentId distinguishes successive contents of one file; of one in blocks, the generation of its writer lease; 0 where there is
     *     neither
     */
    public INode(
            long parentId, String name, long id, Traits traits, long size, long mtime, long atime, long contentId) {
        this.parentId = parentId;
        this.name = name;
        this.id = id;
        this.traits = traits;
        this.size = size;
        this.mtime = mtime;
        this.atime = atime;
        this.contentId = contentId;
    }

    /** A directory that nothing holds. Its access time is 0 until it is set, as in HDFS. */
    public static INode directory(
            long parentId, String name, long id, String owner, String group, int mode, long time) {
        Traits traits = new Traits(Kind.DIRECTORY, owner, group, mode, 0, 0, Content.NONE, 0, 0);
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

    public long subtreeOp() {
        return traits.subtreeOp();
    }

    public long subtreeEpoch() {
        return traits.subtreeEpoch();
    }

    public boolean isDirectory() {
        return traits.kind() == Kind.DIRECTORY;
    }

    public boolean isFile() {
        return traits.kind() == Kind.FILE;
    }

    /** Returns whether a subtree operation holds it. */
    public boolean isFlagged() {
        return traits.subtreeOp() != 0;
    }

    public INode withLocation(long newParentId, String newName) {
        return new INode(newParentId, newName, id, traits, size, mtime, atime, contentId);
    }

    public INode withTraits(Traits newTraits) {
        return new INode(parentId, name, id, newTraits, size, mtime, atime, contentId);
    }

    public INode withMode(int newMode) {
        Traits t = traits;
        return withTraits(new Traits(
                t.kind, t.owner, t.group, newMode, t.replication, t.blockSize, t.content, t.subtreeOp, t.subtreeEpoch));
    }

    public INode withOwner(String newOwner, String newGroup) {
        Traits t = traits;
        return withTraits(new Traits(
                t.kind,
                newOwner,
                newGroup,
                t.mode,
                t.replication,
                t.blockSize,
                t.content,
                t.subtreeOp,
                t.subtreeEpoch));
    }

    public INode withTimes(long newMtime, long newAtime) {
        return new INode(parentId, name, id, traits, size, newMtime, newAtime, contentId);
    }

    public INode withReplication(int newReplication) {
        Traits t = traits;
        return withTraits(new Traits(
                t.kind, t.owner, t.group, t.mode, newReplication, t.blockSize, t.content, t.subtreeOp, t.subtreeEpoch));
    }

    public INode withContent(Content newContent, long newContentId, long newSize, long newMtime) {
        Traits t = traits;
        Traits changed = new Traits(
                t.kind, t.owner, t.group, t.mode, t.replication, t.blockSize, newContent, t.subtreeOp, t.subtreeEpoch);
        return new INode(parentId, name, id, changed, newSize, newMtime, atime, newContentId);
    }

    public INode withSubtree(long op, long epoch) {
        Traits t = traits;
        return withTraits(
                new Traits(t.kind, t.owner, t.group, t.mode, t.replication, t.blockSize, t.content, op, epoch));
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
                && Objects.equals(traits, node.traits);
    }

    @Override
    public int hashCode() {
        return Objects.hash(parentId, name, id, traits, size, mtime, atime, contentId);
    }

    @Override
    public String toString() {
        return "INode[parentId=" + parentId + ", name=" + name + ", id=" + id + ", size=" + size + ", mtime=" + mtime
                + ", atime=" + atime + ", contentId=" + contentId + ", " + traits + "]";
    }
}
