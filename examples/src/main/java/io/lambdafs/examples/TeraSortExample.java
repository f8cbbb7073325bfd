package io.lambdafs.examples;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.Console;
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
import org.apache.hadoop.util.Tool;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** TeraGen, TeraSort and TeraValidate. */
@Command(
        name = "terasort",
        mixinStandardHelpOptions = true,
        description = "Generate rows of 100 bytes, sort them, and verify that they are complete and sorted.")
final class TeraSortExample extends Job {
    private static final int ROW = 100;

    @Option(
            names = "--megabytes",
            paramLabel = "N",
            defaultValue = "256",
            description = "Megabytes of data, 10^6 bytes each (default 256).")
    private int megabytes;

    @Option(
            names = "--reduces",
            paramLabel = "N",
            defaultValue = "2",
            description = "Number of sorted files (default 2).")
    private int reduces;

    @Option(
            names = "--root",
            paramLabel = "PATH",
            defaultValue = "/terasort",
            description = "Working directory, emptied first (default /terasort).")
    private String root = "";

    @Option(
            names = "--kill-datanodes",
            description = "Kill a datanode in the middle of each phase, and restart it; the cluster needs two.")
    private boolean killDatanodes;

    private int kills;

    @Override
    void addTo(ObjectNode settings) {
        if (killDatanodes) {
            settings.withObject("blocks").put("datanodes", 2);
        }
        super.addTo(settings);
    }

    private void phase(String name, long bytes, Configuration conf, Tool tool, String... arguments) throws Exception {
        if (!killDatanodes) {
            step(name, bytes, conf, tool, arguments);
            return;
        }
        LocalCluster cluster = new LocalCluster(
                new ClusterDirectory(java.nio.file.Path.of(conf.get("lambdafs.dir"))), Console.ofProcess());
        String datanode = "datanode-" + (1 + kills++ % 2);
        String scheme = FileSystem.getDefaultUri(conf).getScheme();
        long due = Progress.bytes(scheme) + bytes / 3;
        try (DatanodeKiller killer = new DatanodeKiller(cluster, datanode, () -> Progress.bytes(scheme) > due)) {
            step(name, bytes, conf, tool, arguments);
            if (!killer.hasStruck()) {
                throw new IOException(name + " was over before " + datanode + " was killed: give it more --megabytes");
            }
            System.err.println(name + " went on without " + datanode + ", which was killed");
        }
    }

    @Override
    void run(FileSystem fs, Configuration conf) throws Exception {
        long bytes = megabytes * 1_000_000L;
        Path all = new Path(root);
        Path in = new Path(all, "in");
        Path out = new Path(all, "out");
        Path report = new Path(all, "report");
        fs.delete(all, true);
        conf.setInt("mapreduce.job.maps", Runtime.getRuntime().availableProcessors());
        conf.setInt("mapreduce.job.reduces", reduces);
        conf.setInt("mapreduce.terasort.output.replication", 1);
        phase("TeraGen", bytes, conf, new TeraGen(), Long.toString(bytes / ROW), in.toString());
        phase("TeraSort", 2 * bytes, conf, new TeraSort(), in.toString(), out.toString());
        phase("TeraValidate", bytes, conf, new TeraValidate(), out.toString(), report.toString());
        System.out.println(verdict(fs, report));
    }

    /** Checks TeraValidate's report, which is a checksum, followed by anything out of order. */
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
