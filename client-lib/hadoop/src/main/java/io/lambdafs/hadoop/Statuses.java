package io.lambdafs.hadoop;

import io.lambdafs.model.Attributes;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/** Turns attributes into Hadoop's file status. Stateless. */
final class Statuses {
    FileStatus of(Attributes attributes, Path qualified) {
        boolean directory = attributes.isDirectory();
        return new FileStatus(
                attributes.size(),
                directory,
                directory ? 0 : attributes.replication(),
                directory ? 0 : attributes.blockSize(),
                attributes.mtime(),
                attributes.atime(),
                new FsPermission((short) attributes.mode()),
                attributes.owner(),
                attributes.group(),
                qualified);
    }
}
