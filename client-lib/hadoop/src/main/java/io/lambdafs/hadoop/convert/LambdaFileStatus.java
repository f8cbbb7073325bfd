package io.lambdafs.hadoop.convert;

import io.lambdafs.model.inode.Attributes;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.jspecify.annotations.Nullable;

/**
 * Hadoop's file status with an etag that changes whenever a file's content does and survives renames: the unique file
 * id, modification time and length. Directories have none.
 */
@SuppressWarnings("serial") // Serialised by Hadoop's own means.
public final class LambdaFileStatus extends FileStatus implements EtagSource {
    private final @Nullable String etag;
    private final long id;

    LambdaFileStatus(Attributes attributes, Path qualified) {
        super(
                attributes.size(),
                attributes.isDirectory(),
                attributes.isDirectory() ? 0 : attributes.replication(),
                attributes.isDirectory() ? 0 : attributes.blockSize(),
                attributes.mtime(),
                attributes.atime(),
                new FsPermission((short) attributes.mode()),
                attributes.owner(),
                attributes.group(),
                null,
                qualified,
                FileStatus.attributes(attributes.hasAcl(), false, false, false));
        this.id = attributes.id();
        this.etag = attributes.isDirectory() ? null : etag(attributes);
    }

    /** Returns the id of the file or directory. */
    public long id() {
        return id;
    }

    public static String etag(Attributes file) {
        return Long.toHexString(file.id()) + "-" + Long.toHexString(file.mtime()) + "-" + Long.toHexString(file.size());
    }

    @Override
    public @Nullable String getEtag() {
        return etag;
    }

    /** Compared by path only, as Hadoop's own. */
    @Override
    public boolean equals(@Nullable Object other) {
        return super.equals(other);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }
}
