package io.lambdafs.hadoop;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.hadoop.convert.Failures;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.DirectoryTotals;
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
            Reply.Totals totals = Failures.await(client.usage(top), top.toString());
            return summary(totals);
        } catch (UnsupportedOperationException untold) {
            return walked(fs, path);
        }
    }

    private static ContentSummary walked(LambdaFileSystem fs, Path path) throws IOException {
        DirectoryTotals all = fs.getFileStatus(path).isDirectory() ? DirectoryTotals.DIRECTORY : DirectoryTotals.NONE;
        RemoteIterator<FileStatus> entries = fs.below(path);
        while (entries.hasNext()) {
            FileStatus entry = entries.next();
            all = all.plusCapped(
                    entry.isDirectory()
                            ? DirectoryTotals.DIRECTORY
                            : DirectoryTotals.ofFile(entry.getLen(), entry.getReplication()));
        }
        return summary(new Reply.Totals(all.files(), all.directories(), all.bytes(), all.space()));
    }

    private static ContentSummary summary(Reply.Totals totals) {
        return new ContentSummary.Builder()
                .length(totals.bytes())
                .spaceConsumed(totals.space())
                .fileCount(totals.files())
                .directoryCount(totals.directories())
                .quota(totals.quota().names())
                .spaceQuota(totals.quota().space())
                .erasureCodingPolicy(REPLICATED)
                .build();
    }
}
