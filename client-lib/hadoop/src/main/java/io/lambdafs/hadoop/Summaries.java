package io.lambdafs.hadoop;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.hadoop.convert.Failures;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Reply;
import java.io.IOException;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Sums up the contents below a path: by one request where the store keeps totals. Otherwise walks, many directories
 * concurrently; concurrent changes may or may not be counted then. Stateless.
 */
final class Summaries {
    /** Hadoop's name for files without erasure coding. */
    private static final String REPLICATED = "Replicated";

    private Summaries() {}

    static ContentSummary of(LambdaFileSystem fs, Path path) throws IOException {
        LambdaFs client = fs.client();
        FsPath top = fs.fsPath(path);
        try {
            Reply.Totals totals = Failures.await(client.totals(top), top.toString());
            return summary(totals.files(), totals.directories(), totals.bytes(), totals.space());
        } catch (UnsupportedOperationException untold) {
            return walked(fs, path);
        }
    }

    private static ContentSummary walked(LambdaFileSystem fs, Path path) throws IOException {
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
        return summary(files, directories, length, space);
    }

    private static ContentSummary summary(long files, long directories, long length, long space) {
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
