package io.lambdafs.model.inode;

/**
 * The sum of all that is below a directory at any depth, the directory itself not included; numbers as in HDFS's
 * content summary. Sums wrap around, so that deltas commute. Immutable.
 *
 * @param bytes lengths of all files
 * @param space bytes × replication; a file that is being written counts with a whole block for the one that its writer
 *     has allocated
 */
public record DirectoryTotals(long files, long directories, long bytes, long space) {
    public static final DirectoryTotals NONE = new DirectoryTotals(0, 0, 0, 0);
    /** The share of a directory alone in the totals of those above it. */
    public static final DirectoryTotals DIRECTORY = new DirectoryTotals(0, 1, 0, 0);

    /** Returns what an INode alone adds to the directories above it. */
    public static DirectoryTotals of(INode node) {
        if (node.isDirectory()) {
            return DIRECTORY;
        }
        DirectoryTotals written = ofFile(node.size(), node.replication());
        long reserved = node.traits().reserved();
        return reserved == 0
                ? written
                : new DirectoryTotals(
                        1,
                        0,
                        written.bytes(),
                        ofFile(node.size() + reserved, node.replication()).space());
    }

    /** Returns what a file adds to the directories above it. */
    public static DirectoryTotals ofFile(long size, int replication) {
        long bytes = Math.max(0, size);
        long replicas = Math.max(1, replication);
        return new DirectoryTotals(1, 0, bytes, bytes > Long.MAX_VALUE / replicas ? Long.MAX_VALUE : bytes * replicas);
    }

    public DirectoryTotals plus(DirectoryTotals more) {
        return new DirectoryTotals(
                files + more.files, directories + more.directories, bytes + more.bytes, space + more.space);
    }

    /** Returns the sum of totals that are not negative; bytes that would overflow stay at the largest number. */
    public DirectoryTotals plusCapped(DirectoryTotals more) {
        return new DirectoryTotals(
                files + more.files,
                directories + more.directories,
                capped(bytes, more.bytes),
                capped(space, more.space));
    }

    private static long capped(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    public DirectoryTotals minus(DirectoryTotals less) {
        return new DirectoryTotals(
                files - less.files, directories - less.directories, bytes - less.bytes, space - less.space);
    }

    /** Returns the totals as replies tell them: a sum that has overflowed is the largest number. */
    public DirectoryTotals told() {
        return bytes >= 0 && space >= 0
                ? this
                : new DirectoryTotals(
                        files, directories, bytes < 0 ? Long.MAX_VALUE : bytes, space < 0 ? Long.MAX_VALUE : space);
    }
}
