package io.lambdafs.functions.namenode;

import io.lambdafs.model.FsException;

/** The failure of operations on a store without a file system. */
final class NotFormatted {
    private NotFormatted() {}

    static FsException exception() {
        return FsException.unavailable(
                "the store holds no file system: start the cluster, which formats an empty store");
    }
}
