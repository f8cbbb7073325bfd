package io.lambdafs.door.hdfs.calls;

import io.lambdafs.hadoop.convert.Failures;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import java.io.IOException;
import org.apache.hadoop.fs.permission.FsPermission;

/** Converts paths and modes of calls. Stateless. */
final class Names {
    private Names() {}

    static FsPath path(String src) throws IOException {
        try {
            return FsPath.of(src);
        } catch (FsException e) {
            throw Failures.of(e, src);
        }
    }

    static boolean isCode(IOException e, ErrorCode code) {
        return e.getCause() instanceof FsException failure && failure.code() == code;
    }

    static int mode(FsPermission permission) {
        return permission.toShort() & INode.MAX_MODE;
    }

    /** Returns the mode without the client's umask, which counts below a default ACL. */
    static int unmasked(FsPermission permission) {
        FsPermission before = permission.getUnmasked();
        return mode(before == null ? permission : before);
    }
}
