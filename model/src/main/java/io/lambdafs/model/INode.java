package io.lambdafs.model;

/**
 * One file or directory as the store keeps it, keyed by (parent id, name). Immutable. A directory's own modification time and
 * child count change with every child and live apart, as {@link DirectoryStats}; {@code mtime} here is only the time
 * that the directory was made.
 *
 * @param parentId id of the parent; 0 for the root
 * @param name last path component; empty for the root
 * @param id unique, never reused; {@value #ROOT_ID} for the root
 * @param mode permission bits, 0–01777
 * @param size bytes; 0 for a directory
 * @param mtime milliseconds since 1970
 * @param atime milliseconds since 1970
 * @param replication block replicas; 0 for a directory
 * @param blockSize bytes; 0 for a directory
 * @param content where a file's bytes are
 * @param contentId distinguishes successive contents of one file; 0 where there is none
 * @param subtreeOp id of the subtree operation that holds this INode; 0 for none. An INode with one is cached in no role.
 * @param subtreeEpoch epoch of the instance that performs it; 0 for none
 */
public record INode(
        long parentId,
        String name,
        long id,
        Kind kind,
        String owner,
        String group,
        int mode,
        long size,
        long mtime,
        long atime,
        int replication,
        long blockSize,
        Content content,
        long contentId,
        long subtreeOp,
        long subtreeEpoch) {
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
        NONE,
        /** With the metadata, in the store. */
        INLINE,
        /** Created, not yet completed by its writer. */
        UNDER_CONSTRUCTION,
        /** Imported by name and attributes only; reading it is refused. */
        ABSENT
    }

    public boolean isDirectory() {
        return kind == Kind.DIRECTORY;
    }

    public boolean isFile() {
        return kind == Kind.FILE;
    }

    /** Whether a subtree operation holds it. */
    public boolean isFlagged() {
        return subtreeOp != 0;
    }

    public static INode directory(
            long parentId, String name, long id, String owner, String group, int mode, long time) {
        return new INode(
                parentId, name, id, Kind.DIRECTORY, owner, group, mode, 0, time, time, 0, 0, Content.NONE, 0, 0, 0);
    }

    public INode withLocation(long newParentId, String newName) {
        return new INode(
                newParentId,
                newName,
                id,
                kind,
                owner,
                group,
                mode,
                size,
                mtime,
                atime,
                replication,
                blockSize,
                content,
                contentId,
                subtreeOp,
                subtreeEpoch);
    }

    public INode withMode(int newMode) {
        return new INode(
                parentId,
                name,
                id,
                kind,
                owner,
                group,
                newMode,
                size,
                mtime,
                atime,
                replication,
                blockSize,
                content,
                contentId,
                subtreeOp,
                subtreeEpoch);
    }

    public INode withOwner(String newOwner, String newGroup) {
        return new INode(
                parentId,
                name,
                id,
                kind,
                newOwner,
                newGroup,
                mode,
                size,
                mtime,
                atime,
                replication,
                blockSize,
                content,
                contentId,
                subtreeOp,
                subtreeEpoch);
    }

    public INode withTimes(long newMtime, long newAtime) {
        return new INode(
                parentId,
                name,
                id,
                kind,
                owner,
                group,
                mode,
                size,
                newMtime,
                newAtime,
                replication,
                blockSize,
                content,
                contentId,
                subtreeOp,
                subtreeEpoch);
    }

    public INode withReplication(int newReplication) {
        return new INode(
                parentId,
                name,
                id,
                kind,
                owner,
                group,
                mode,
                size,
                mtime,
                atime,
                newReplication,
                blockSize,
                content,
                contentId,
                subtreeOp,
                subtreeEpoch);
    }

    public INode withContent(Content newContent, long newContentId, long newSize, long newMtime) {
        return new INode(
                parentId,
                name,
                id,
                kind,
                owner,
                group,
                mode,
                newSize,
                newMtime,
                atime,
                replication,
                blockSize,
                newContent,
                newContentId,
                subtreeOp,
                subtreeEpoch);
    }

    public INode withSubtree(long op, long epoch) {
        return new INode(
                parentId,
                name,
                id,
                kind,
                owner,
                group,
                mode,
                size,
                mtime,
                atime,
                replication,
                blockSize,
                content,
                contentId,
                op,
                epoch);
    }
}
