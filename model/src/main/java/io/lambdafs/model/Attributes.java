package io.lambdafs.model;

/**
 * What {@code stat} and listings show of a file or directory. Immutable.
 *
 * @param name last path component; empty for the root
 * @param size bytes; 0 for a directory
 * @param mtime milliseconds since 1970; of a directory, the time of its last change of children
 * @param children number of children of a directory; 0 for a file
 */
public record Attributes(
        String name,
        long id,
        INode.Kind kind,
        String owner,
        String group,
        int mode,
        long size,
        long mtime,
        long atime,
        int replication,
        long blockSize,
        INode.Content content,
        long children) {

    public boolean isDirectory() {
        return kind == INode.Kind.DIRECTORY;
    }

    /** The attributes of an INode; the stats count for a directory only. */
    public static Attributes of(INode node, DirectoryStats stats) {
        boolean directory = node.isDirectory();
        return new Attributes(
                node.name(),
                node.id(),
                node.kind(),
                node.owner(),
                node.group(),
                node.mode(),
                node.size(),
                directory ? stats.mtime() : node.mtime(),
                node.atime(),
                node.replication(),
                node.blockSize(),
                node.content(),
                directory ? stats.children() : 0);
    }
}
