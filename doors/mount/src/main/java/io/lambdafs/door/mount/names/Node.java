package io.lambdafs.door.mount.names;

import org.jspecify.annotations.Nullable;

/**
 * A file or directory that the kernel knows. Its fields but the number change under the lock of its {@link NodeTable}.
 */
public final class Node {
    private final long id;
    private final boolean directory;

    long inode;
    /** The INode that it stood for before, of which the kernel may still be about to be told; 0 for none. */
    long formerInode;
    /** The INode that is about to take its place; 0 for none. */
    long nextInode;

    @Nullable
    Node parent;

    String name;
    long lookups;
    int children;

    Node(long id, boolean directory, @Nullable Node parent, String name) {
        this.id = id;
        this.inode = id;
        this.directory = directory;
        this.parent = parent;
        this.name = name;
    }

    /** Returns the kernel's number: that of the INode when it was first seen. */
    public long id() {
        return id;
    }

    public boolean isDirectory() {
        return directory;
    }
}
