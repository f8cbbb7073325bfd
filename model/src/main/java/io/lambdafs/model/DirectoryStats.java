package io.lambdafs.model;

/**
 * What every operation on a child changes in its directory. Kept in a row of its own and changed by commutative deltas, so that
 * concurrent creates in one directory do not queue. Immutable.
 *
 * @param children number of entries
 * @param mtime time of the last change of the set of children, milliseconds since 1970
 */
public record DirectoryStats(long children, long mtime) {
    public static final DirectoryStats EMPTY = new DirectoryStats(0, 0);
}
