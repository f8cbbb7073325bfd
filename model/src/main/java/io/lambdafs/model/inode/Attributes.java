package io.lambdafs.model.inode;

/**
 * The attributes of a file or directory that {@code stat} and listings return. Immutable.
 *
 * @param name last path component; empty for the root
 * @param traits attributes shared with other INodes; an ACL appears as {@link Acl#UNTOLD}
 * @param size bytes; 0 for a directory
 * @param mtime milliseconds since 1970; for a directory, when its set of children last changed
 * @param children number of children of a directory; 0 for a file
 */
public record Attributes(String name, long id, INode.Traits traits, long size, long mtime, long atime, long children) {

    /** Returns the attributes of an INode; the stats matter for a directory only. */
    public static Attributes of(INode node, DirectoryStats stats) {
        boolean directory = node.isDirectory();
        return new Attributes(
                node.name(),
                node.id(),
                node.traits().told(),
                node.size(),
                directory ? stats.mtime() : node.mtime(),
                node.atime(),
                directory ? stats.children() : 0);
    }

    public boolean isDirectory() {
        return kind() == INode.Kind.DIRECTORY;
    }

    public INode.Kind kind() {
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

    public int replication() {
        return traits.replication();
    }

    public long blockSize() {
        return traits.blockSize();
    }

    /** Returns whether it has an ACL. */
    public boolean hasAcl() {
        return traits.acl() != null;
    }

    public INode.Content content() {
        return traits.content();
    }
}
