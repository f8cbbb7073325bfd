package io.lambdafs.door.hdfs.calls;

import io.lambdafs.model.inode.Attributes;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.jspecify.annotations.Nullable;

/** Converts attributes to HDFS's file status. Stateless. */
final class Statuses {
    private static final byte[] NO_NAME = {};

    private Statuses() {}

    /** Returns the status of a path that the client knows. */
    static HdfsFileStatus asked(Attributes attributes, @Nullable LocatedBlocks blocks) {
        return of(attributes, NO_NAME, blocks);
    }

    /** Returns the status of a file to write. It tells one copy, so that a client that loses a way to it looks for no other copy. */
    static HdfsFileStatus written(Attributes attributes) {
        return builder(attributes, NO_NAME, null).replication(1).build();
    }

    /** Returns the status of a child in a listing. */
    static HdfsFileStatus child(Attributes attributes, @Nullable LocatedBlocks blocks) {
        return of(attributes, attributes.name().getBytes(StandardCharsets.UTF_8), blocks);
    }

    private static HdfsFileStatus of(Attributes attributes, byte[] name, @Nullable LocatedBlocks blocks) {
        return builder(attributes, name, blocks).build();
    }

    private static HdfsFileStatus.Builder builder(Attributes attributes, byte[] name, @Nullable LocatedBlocks blocks) {
        EnumSet<HdfsFileStatus.Flags> flags = EnumSet.noneOf(HdfsFileStatus.Flags.class);
        if (attributes.hasAcl()) {
            flags.add(HdfsFileStatus.Flags.HAS_ACL);
        }
        boolean directory = attributes.isDirectory();
        return new HdfsFileStatus.Builder()
                .length(attributes.size())
                .isdir(directory)
                .replication(directory ? 0 : attributes.replication())
                .blocksize(directory ? 0 : attributes.blockSize())
                .mtime(attributes.mtime())
                .atime(attributes.atime())
                .perm(new FsPermission((short) attributes.mode()))
                .flags(flags)
                .owner(attributes.owner())
                .group(attributes.group())
                .path(name)
                .fileId(attributes.id())
                .children((int) Math.min(Integer.MAX_VALUE, attributes.children()))
                .locations(blocks);
    }
}
