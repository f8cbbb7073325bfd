package io.lambdafs.door.mount.names;

import io.lambdafs.door.mount.wire.Errno;
import io.lambdafs.door.mount.wire.ErrnoException;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files and directories that the kernel knows, each until the kernel has forgotten it as often as it has learned of it. Its
 * number is the INode's, which is never reused, and stays when new contents have another INode. A node whose name is
 * gone has no path. Thread-safe.
 */
public final class NodeTable {
    private final Map<Long, Node> byId = new HashMap<>();
    private final Map<Long, Node> byInode = new HashMap<>();
    private final Map<Place, Node> byPlace = new HashMap<>();
    private final Node root = new Node(INode.ROOT_ID, true, null, "");

    private record Place(long parent, String name) {}

    public NodeTable() {
        root.lookups = 1;
        byId.put(root.id(), root);
        byInode.put(root.inode, root);
    }

    /**
     * Returns the node with the kernel's number.
     *
     * @throws ErrnoException {@code ESTALE} if there is none
     */
    public synchronized Node of(long id) {
        Node found = byId.get(id);
        if (found == null) {
            throw Errno.ESTALE.failure();
        }
        return found;
    }

    /** Returns whether a node stands for an INode, or is about to, or just did. */
    public synchronized boolean isOf(Node node, long inode) {
        return byInode.get(inode) == node;
    }

    /** Returns the number under which the kernel knows an INode, or will know it. */
    public synchronized long idOf(long inode) {
        Node known = byInode.get(inode);
        return known == null ? inode : known.id();
    }

    /**
     * Returns where a node is.
     *
     * @throws ErrnoException {@code ESTALE} if its name is gone
     */
    public synchronized FsPath path(Node node) {
        Deque<String> names = new ArrayDeque<>();
        for (Node at = node; at != root; at = at.parent) {
            if (at == null || at.parent == null) {
                throw Errno.ESTALE.failure();
            }
            names.push(at.name);
        }
        FsPath path = FsPath.ROOT;
        for (String name : names) {
            path = child(path, name);
        }
        return path;
    }

    /**
     * Returns the path of a child.
     *
     * @throws ErrnoException {@code ENAMETOOLONG} or {@code EINVAL} if it cannot be
     */
    public FsPath path(Node directory, String name) {
        return child(path(directory), name);
    }

    private static FsPath child(FsPath directory, String name) {
        if (!FsPath.isValidName(name)) {
            throw Errno.EINVAL.failure();
        }
        try {
            return directory.child(name);
        } catch (FsException tooLong) {
            throw Errno.ENAMETOOLONG.failure();
        }
    }

    public synchronized @Nullable Node at(Node parent, String name) {
        return byPlace.get(new Place(parent.id(), name));
    }

    /** Notes that the kernel learns of an INode at a name, where anything else is gone. */
    public synchronized Node told(Node parent, String name, long inode, boolean directory) {
        Node there = byPlace.get(new Place(parent.id(), name));
        Node node = byInode.get(inode);
        if (there != node || node == null) {
            if (there != null) {
                detach(there);
            }
            if (node == null) {
                node = new Node(inode, directory, null, name);
                byId.put(node.id(), node);
                byInode.put(inode, node);
            } else {
                detach(node);
            }
            attach(node, parent, name);
        }
        node.lookups++;
        return node;
    }

    /** Notes that another INode, with new contents, is about to take the place of a node's. */
    public synchronized void replacing(Node node, long inode) {
        node.nextInode = inode;
        byInode.put(inode, node);
    }

    /**
     * Notes that it has, or that it will not. The first INode and the one before stay the node's: a look that began
     * earlier may have seen them.
     */
    public synchronized void replaced(Node node, boolean done) {
        if (!done) {
            byInode.remove(node.nextInode, node);
        } else {
            if (node.formerInode != node.id()) {
                byInode.remove(node.formerInode, node);
            }
            node.formerInode = node.inode;
            node.inode = node.nextInode;
        }
        node.nextInode = 0;
    }

    /** Notes that a name is gone. */
    public synchronized void removed(Node parent, String name) {
        Node there = byPlace.get(new Place(parent.id(), name));
        if (there != null) {
            detach(there);
        }
    }

    /** Notes that a name has moved, onto one that is gone by that. */
    public synchronized void moved(Node from, String name, Node to, String newName) {
        Node moved = byPlace.get(new Place(from.id(), name));
        removed(to, newName);
        if (moved != null) {
            detach(moved);
            attach(moved, to, newName);
        }
    }

    /** Notes that the kernel has forgotten a node so many times. */
    public synchronized void forgotten(long id, long times) {
        Node node = byId.get(id);
        if (node != null && node != root) {
            node.lookups -= times;
            dropUnknown(node);
        }
    }

    private void dropUnknown(Node node) {
        if (node == root || node.lookups > 0 || node.children > 0) {
            return;
        }
        byId.remove(node.id(), node);
        for (long inode : new long[] {node.id(), node.formerInode, node.inode, node.nextInode}) {
            byInode.remove(inode, node);
        }
        Node parent = node.parent;
        detach(node);
        if (parent != null) {
            dropUnknown(parent);
        }
    }

    private void attach(Node node, Node parent, String name) {
        node.parent = parent;
        node.name = name;
        parent.children++;
        byPlace.put(new Place(parent.id(), name), node);
    }

    private void detach(Node node) {
        Node parent = node.parent;
        if (parent != null) {
            byPlace.remove(new Place(parent.id(), node.name), node);
            parent.children--;
            node.parent = null;
        }
    }

    /** Returns how many nodes the kernel knows. */
    public synchronized int count() {
        return byId.size();
    }
}
