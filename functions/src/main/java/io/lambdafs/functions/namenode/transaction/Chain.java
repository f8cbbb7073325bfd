package io.lambdafs.functions.namenode.transaction;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import java.util.Arrays;

/**
 * A resolved path: the INodes from the root on, as far as they exist, down to the requested depth at most. Immutable.
 */
public final class Chain {
    private final FsPath path;
    private final INode[] nodes;

    public Chain(FsPath path, INode[] nodes, int count) {
        this.path = path;
        this.nodes = Arrays.copyOf(nodes, count);
    }

    /** Returns the chain extended by the next component. */
    public Chain with(INode next) {
        INode[] longer = Arrays.copyOf(nodes, nodes.length + 1);
        longer[nodes.length] = next;
        return new Chain(path, longer, longer.length);
    }

    public FsPath path() {
        return path;
    }

    public INode node(int depth) {
        return nodes[depth];
    }

    /** Returns the number of INodes; {@code depth + 1} if all down to that depth exist. */
    public int size() {
        return nodes.length;
    }

    public boolean reaches(int depth) {
        return nodes.length > depth;
    }

    public INode last() {
        return nodes[nodes.length - 1];
    }

    public FsPath lastPath() {
        return path.ancestor(nodes.length - 1);
    }

    public INode[] nodes() {
        return nodes;
    }

    /** Returns the storage policy of the last INode or of its nearest ancestor that has one; empty for none. */
    public String storagePolicy() {
        for (int i = nodes.length - 1; i >= 0; i--) {
            String policy = nodes[i].traits().storagePolicy();
            if (!policy.isEmpty()) {
                return policy;
            }
        }
        return "";
    }

    /** Returns the directory at a depth, or fails as HDFS does if there is none. */
    public INode directory(int depth) {
        if (!reaches(depth)) {
            if (last().isFile()) {
                throw notADirectory(lastPath());
            }
            throw notFound(path.ancestor(depth));
        }
        INode node = nodes[depth];
        if (!node.isDirectory()) {
            throw notADirectory(path.ancestor(depth));
        }
        return node;
    }

    public static FsException notFound(FsPath path) {
        return new FsException(ErrorCode.NOT_FOUND, "no such file or directory: \"" + path + "\"");
    }

    public static FsException isADirectory(FsPath path) {
        return new FsException(ErrorCode.IS_A_DIRECTORY, "is a directory: \"" + path + "\"");
    }

    public static FsException notADirectory(FsPath path) {
        return new FsException(ErrorCode.NOT_A_DIRECTORY, "not a directory: \"" + path + "\"");
    }
}
