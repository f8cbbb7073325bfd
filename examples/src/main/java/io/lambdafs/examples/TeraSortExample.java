package io.lambdafs.examples;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** TeraGen, TeraSort and TeraValidate. */
@Command(
        name = "terasort",
        mixinStandardHelpOptions = true,
        description = "Generates rows of 100 bytes, sorts them, and checks that they are sorted and all there.")
final class TeraSortExample extends Job {
    private static final int ROW = 100;

    @Option(
            names = "--megabytes",
            paramLabel = "N",
            defaultValue = "256",
            description = "Of data (default 256), 10^6 bytes each.")
    private int megabytes;

    @Option(names = "--reduces", paramLabel = "N", defaultValue = "2", description = "Sorted files (default 2).")
    private int reduces;

    @Override
    void run(FileSystem fs, Configuration conf) throws Exception {
        long bytes = megabytes * 1_000_000L;
        Path root = new Path("/terasort");
        Path in = new Path(root, "in");
        Path out = new Path(root, "out");
        Path report = new Path(root, "report");
        fs.delete(root, true);
        conf.setInt("mapreduce.job.maps", Runtime.getRuntime().availableProcessors());
        conf.setInt("mapreduce.job.reduces", reduces);
        conf.setInt("mapreduce.terasort.output.replication", 1);
        step("TeraGen", bytes, conf, new TeraGen(), Long.toString(bytes / ROW), in.toString());
        step("TeraSort", 2 * bytes, conf, new TeraSort(), in.toString(), out.toString());
        step("TeraValidate", bytes, conf, new TeraValidate(), out.toString(), report.toString());
        System.out.println(verdict(fs, report));
    }

    /** TeraValidate reports a checksum, and beside it whatever is out of order. */
    private static String verdict(FileSystem fs, Path report) throws IOException {
        StringBuilder said = new StringBuilder();
        for (FileStatus part : fs.globStatus(new Path(report, "part-*"))) {
            try (FSDataInputStream in = fs.open(part.getPath())) {
                said.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        String text = said.toString().strip();
        if (!text.startsWith("checksum") || text.contains("\n")) {
            throw new IOException("TeraValidate reports: " + text);
        }
        return "sorted and complete, " + text.replace('\t', ' ');
    }
}
