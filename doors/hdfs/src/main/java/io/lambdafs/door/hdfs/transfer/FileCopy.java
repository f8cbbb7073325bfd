package io.lambdafs.door.hdfs.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.AclUtil;

/** Copies single files and the attributes of files and directories. Thread-safe. */
final class FileCopy {
    private static final int BUFFER_BYTES = 1 << 20;

    private final FileSystem from;
    private final FileSystem to;
    private final boolean verify;

    FileCopy(FileSystem from, FileSystem to, boolean verify) {
        this.from = from;
        this.to = to;
        this.verify = verify;
    }

    void copy(FileStatus source, Path target) throws IOException {
        long sum;
        try (InputStream in = from.open(source.getPath());
                FSDataOutputStream out = to.create(
                        target,
                        source.getPermission(),
                        true,
                        BUFFER_BYTES,
                        source.getReplication(),
                        source.getBlockSize(),
                        null)) {
            sum = sum(in, out);
        }
        if (verify && !isEqual(source.getPath(), target, sum)) {
            throw new IOException(target + " differs from " + source.getPath() + " after it was copied");
        }
        attributes(source, target);
    }

    /** Moves bytes and returns the CRC of them. */
    private static long sum(InputStream in, OutputStream out) throws IOException {
        CRC32C crc = new CRC32C();
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            crc.update(buffer, 0, read);
            out.write(buffer, 0, read);
        }
        return crc.getValue();
    }

    /** Compares by checksums of both file systems if they are of one kind, else by reading what was written. */
    private boolean isEqual(Path source, Path target, long sum) throws IOException {
        FileChecksum there = to.getFileChecksum(target);
        FileChecksum here = there == null ? null : from.getFileChecksum(source);
        if (here != null && here.getAlgorithmName().equals(there.getAlgorithmName())) {
            return here.equals(there);
        }
        try (InputStream in = to.open(target)) {
            return sum(in, OutputStream.nullOutputStream()) == sum;
        }
    }

    /** Copies what a path has beside its contents, its time last. */
    void attributes(FileStatus source, Path target) throws IOException {
        to.setPermission(target, source.getPermission());
        FileStatus made = to.getFileStatus(target);
        if (!made.getOwner().equals(source.getOwner()) || !made.getGroup().equals(source.getGroup())) {
            to.setOwner(target, source.getOwner(), source.getGroup());
        }
        if (source.hasAcl() && to.hasPathCapability(target, CommonPathCapabilities.FS_ACLS)) {
            AclStatus acl = from.getAclStatus(source.getPath());
            to.setAcl(target, AclUtil.getAclFromPermAndEntries(source.getPermission(), acl.getEntries()));
        }
        if (from.hasPathCapability(source.getPath(), CommonPathCapabilities.FS_XATTRS)
                && to.hasPathCapability(target, CommonPathCapabilities.FS_XATTRS)) {
            for (Map.Entry<String, byte[]> each :
                    from.getXAttrs(source.getPath()).entrySet()) {
                to.setXAttr(target, each.getKey(), each.getValue());
            }
        }
        to.setTimes(target, source.getModificationTime(), source.isFile() ? source.getAccessTime() : -1);
    }
}
