package io.lambdafs.examples;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.tools.DistCp;
import org.apache.hadoop.tools.DistCpOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Hadoop's DistCp from another file system. */
@Command(
        name = "distcp",
        mixinStandardHelpOptions = true,
        description =
                "Copy a tree from another file system: file:///path, or s3a://bucket/path with AWS_ACCESS_KEY_ID, "
                        + "AWS_SECRET_ACCESS_KEY and AWS_REGION in the environment.")
final class DistCpExample extends Job {
    @Parameters(index = "0", paramLabel = "SOURCE", description = "Source URI, such as file:///usr/share/doc.")
    private String source = "";

    @Option(
            names = "--to",
            paramLabel = "PATH",
            defaultValue = "/distcp",
            description = "Target path (default /distcp).")
    private String target = "";

    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            description = "Endpoint of s3a:// if not Amazon's; uses path-style addressing.")
    private @Nullable String endpoint;

    @Override
    void run(FileSystem fs, Configuration conf) throws Exception {
        if (endpoint != null) {
            conf.set("fs.s3a.endpoint", endpoint);
            conf.setBoolean("fs.s3a.path.style.access", true);
        }
        Path from = new Path(source);
        ContentSummary there = from.getFileSystem(conf).getContentSummary(from);
        Path to = fs.makeQualified(new Path(target));
        fs.delete(to, true);
        DistCpOptions options = new DistCpOptions.Builder(List.of(from), to)
                .maxMaps(Runtime.getRuntime().availableProcessors())
                .withSkipCRC(true)
                .withSyncFolder(true)
                .build();
        try (Progress progress = new Progress("DistCp", there.getLength(), fs.getScheme())) {
            new DistCp(conf, options).execute();
            progress.done();
        }
        ContentSummary here = fs.getContentSummary(to);
        if (here.getLength() != there.getLength() || here.getFileCount() != there.getFileCount()) {
            throw new IOException("copied " + here.getFileCount() + " files of " + here.getLength() + " bytes, of "
                    + there.getFileCount() + " of " + there.getLength());
        }
        System.out.println("copied " + here.getFileCount() + " files in " + here.getDirectoryCount() + " directories, "
                + here.getLength() + " bytes");
    }
}
