package io.lambdafs.hadoop;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** Adds up what lies below a path, one listing after the other. Not a snapshot: what changes meanwhile counts or does not. Stateless. */
final class Summaries {
    /** What Hadoop's shell and HDFS call files without erasure coding. */
    private static final String REPLICATED = "Replicated";

    private Summaries() {}

    static ContentSummary of(FileSystem fs, Path path) throws IOException {
        long length = 0;
        long space = 0;
        long files = 0;
        long directories = 0;
        Deque<Path> ahead = new ArrayDeque<>();
        FileStatus top = fs.getFileStatus(path);
        if (top.isDirectory()) {
            ahead.push(top.getPath());
        } else {
            files = 1;
            length = top.getLen();
            space = length * top.getReplication();
        }
        while (!ahead.isEmpty()) {
            RemoteIterator<FileStatus> entries = fs.listStatusIterator(ahead.pop());
            directories++;
            while (entries.hasNext()) {
                FileStatus entry = entries.next();
                if (entry.isDirectory()) {
                    ahead.push(entry.getPath());
                } else {
                    files++;
                    length += entry.getLen();
                    space += entry.getLen() * entry.getReplication();
                }
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
}
