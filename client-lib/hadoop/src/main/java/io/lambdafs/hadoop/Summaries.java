package io.lambdafs.hadoop;

import java.io.IOException;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Sums up the contents below a path, many directories concurrently. Not a snapshot: concurrent changes may or may not
 * be counted. Stateless.
 */
final class Summaries {
    /** Hadoop's name for files without erasure coding. */
    private static final String REPLICATED = "Replicated";

    private Summaries() {}

    static ContentSummary of(LambdaFileSystem fs, Path path) throws IOException {
        long length = 0;
        long space = 0;
        long files = 0;
        long directories = 0;
        FileStatus top = fs.getFileStatus(path);
        if (top.isDirectory()) {
            directories = 1;
        }
        RemoteIterator<FileStatus> entries = fs.below(path);
        while (entries.hasNext()) {
            FileStatus entry = entries.next();
            if (entry.isDirectory()) {
                directories++;
            } else {
                files++;
                long bytes = Math.max(0, entry.getLen());
                long replicas = Math.max(1, entry.getReplication());
                length = sum(length, bytes);
                space = sum(space, bytes > Long.MAX_VALUE / replicas ? Long.MAX_VALUE : bytes * replicas);
            }
        }
        return new ContentSummary.Builder()
                .length(length)
                .spaceConsumed(space)
                .fileCount(files)
                .directoryCount(directories)
                .erasureCodingPolicy(REPLICATED)
                .build();
    }

    /** Adds a file's bytes, which may be made up: the sum stays at the largest number. */
    private static long sum(long before, long bytes) {
        return bytes > Long.MAX_VALUE - before ? Long.MAX_VALUE : before + bytes;
    }
}
