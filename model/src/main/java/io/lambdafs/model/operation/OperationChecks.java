package io.lambdafs.model.operation;

import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.INode;

/** Checks that operations of several families share. */
final class OperationChecks {
    private OperationChecks() {}

    static void checkMode(int mode) {
        if (mode < 0 || mode > INode.MAX_MODE) {
            throw FsException.invalidArgument("a mode is 0..01777, not 0" + Integer.toOctalString(mode));
        }
    }

    static void checkReplication(int replication) {
        if (replication < 1 || replication > Operation.MAX_REPLICATION) {
            throw FsException.invalidArgument(
                    "a replication is 1.." + Operation.MAX_REPLICATION + ", not " + replication);
        }
    }
}
