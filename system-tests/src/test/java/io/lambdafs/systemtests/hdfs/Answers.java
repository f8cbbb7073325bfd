package io.lambdafs.systemtests.hdfs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.ipc.RemoteException;

/** Answers as texts that are compared. Stateless. */
final class Answers {
    /** Times up to this were set by a step; later ones are the clock's, and are compared as "now". */
    static final long SET_MILLIS = 1_000_000;

    private Answers() {}

    static String of(FileStatus status) {
        String text = "%s %s:%s %04o mtime %s atime %s"
                .formatted(
                        status.isDirectory() ? "directory" : "file",
                        status.getOwner(),
                        status.getGroup(),
                        status.getPermission().toShort(),
                        time(status.getModificationTime()),
                        time(status.getAccessTime()));
        text += status.hasAcl() ? " with ACL" : "";
        return status.isDirectory()
                ? text
                : text
                        + " length %d replication %d block %d"
                                .formatted(status.getLen(), status.getReplication(), status.getBlockSize());
    }

    static String of(FileStatus[] listing) {
        StringBuilder text = new StringBuilder("[");
        for (FileStatus each : listing) {
            text.append(text.length() == 1 ? "" : "; ")
                    .append(each.getPath().toUri().getPath())
                    .append(' ')
                    .append(of(each));
        }
        return text.append(']').toString();
    }

    static String of(AclStatus acl) {
        return "%s:%s %04o %s"
                .formatted(acl.getOwner(), acl.getGroup(), acl.getPermission().toShort(), acl.getEntries());
    }

    static String of(ContentSummary summary) {
        return "%d bytes, %d files, %d directories, %d consumed, quota %d and %d"
                .formatted(
                        summary.getLength(),
                        summary.getFileCount(),
                        summary.getDirectoryCount(),
                        summary.getSpaceConsumed(),
                        summary.getQuota(),
                        summary.getSpaceQuota());
    }

    static String of(FileChecksum checksum) {
        return checksum.getAlgorithmName() + " "
                + HexFormat.of().formatHex(checksum.getBytes(), 0, checksum.getLength());
    }

    /** By name, in order. */
    static String of(Map<String, byte[]> xattrs) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(xattrs)
                .forEach((name, value) -> text.append(name)
                        .append('=')
                        .append(new String(value, StandardCharsets.UTF_8))
                        .append(' '));
        return text.toString();
    }

    private static String time(long millis) {
        return millis <= SET_MILLIS ? Long.toString(millis) : "now";
    }

    static String content(FileSystem fs, Path path) throws IOException {
        try (FSDataInputStream in = fs.open(path)) {
            return '"' + new String(in.readAllBytes(), StandardCharsets.UTF_8) + '"';
        }
    }

    /** Returns whether a text is that of a failure. */
    static boolean isFailure(String answer) {
        return answer.endsWith("Exception");
    }

    /** The class of the exception; of what the server's was, where the client knows no class for it. */
    static String of(Exception failure) {
        String name = failure.getClass().getSimpleName();
        if (failure instanceof RemoteException remote) {
            String theirs = remote.getClassName();
            return name + " of " + theirs.substring(theirs.lastIndexOf('.') + 1);
        }
        return name;
    }
}
