package io.lambdafs.door.mount.files;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.door.mount.names.Node;
import io.lambdafs.door.mount.names.NodeTable;
import io.lambdafs.door.mount.users.Callers;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;

/** The parts that all calls share: nodes, users, room for contents. Thread-safe. */
public record Mounted(NodeTable nodes, Callers callers, LocalSpace space) {
    /** Does something at a node's path. */
    public interface Work<T> {
        T at(FsPath path) throws InterruptedException;
    }

    /** Does something where a node is; once more if the node was moved meanwhile. */
    public <T> T at(Node node, Work<T> work) throws InterruptedException {
        while (true) {
            FsPath path = nodes.path(node);
            try {
                return work.at(path);
            } catch (FsException e) {
                if (e.code() != ErrorCode.NOT_FOUND || nodes.path(node).equals(path)) {
                    throw e;
                }
            }
        }
    }

    LambdaFs superuser() {
        return callers.superuser();
    }
}
