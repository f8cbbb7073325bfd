package io.lambdafs.model.inode;

/**
 * The child count and modification time of a directory, which every change of a child updates. Kept in a separate row
 * and updated by commutative deltas, so that concurrent creates in one directory do not queue. Immutable.
 *
 * @param children number of entries
 * @param mtime time of the last change of the set of children, milliseconds since 1970
 */
public record DirectoryStats(long children, long mtime) {
    public static final DirectoryStats EMPTY = new DirectoryStats(0, 0);
}
