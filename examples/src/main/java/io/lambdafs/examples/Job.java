package io.lambdafs.examples;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.options.BlockOptions;
import io.lambdafs.cluster.terminal.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the examples have in common: the cluster, the local job runner's settings, and how a step is run and shown. */
abstract class Job implements Callable<Integer> {
    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description =
                    "The cluster's directory; without it, a cluster is started for the example, and removed afterwards.")
    private @Nullable Path directory;

    @Option(
            names = "--block-size",
            paramLabel = "BYTES",
            defaultValue = "134217728",
            description = "Of the files that are written (default 128 MB).")
    private long blockSize;

    private final List<Phase> phases = new ArrayList<>();

    /**
     * A step that is over.
     *
     * @param bytes that it was to read and write
     */
    record Phase(String name, long bytes, double seconds) {}

    @Mixin
    private BlockOptions blocks = new BlockOptions();

    /** Adds what a cluster that is started for the example has beside its defaults, and what the user says. */
    void addTo(ObjectNode settings) {
        blocks.addTo(settings);
    }

    private LocalCluster.StartOptions wanted() {
        ObjectNode settings = JsonNodeFactory.instance.objectNode();
        addTo(settings);
        return new LocalCluster.StartOptions(null, settings);
    }

    /** Runs the example on its file system. */
    abstract void run(FileSystem fs, Configuration conf) throws Exception;

    @Override
    public final Integer call() throws Exception {
        if (directory != null) {
            runOn(directory);
            return 0;
        }
        try (TemporaryCluster cluster = TemporaryCluster.start(wanted(), Console.ofProcess())) {
            runOn(cluster.cluster().directory().root());
        }
        return 0;
    }

    private void runOn(Path cluster) throws Exception {
        Configuration conf = new Configuration();
        conf.set(FileSystem.FS_DEFAULT_NAME_KEY, "lambdafs://local/");
        conf.set("lambdafs.dir", cluster.toAbsolutePath().toString());
        runOn(conf);
    }

    /** Runs the example on the default file system of a configuration, to which it adds the local job runner's. */
    final List<Phase> runOn(Configuration conf) throws Exception {
        Path scratch = Files.createTempDirectory("lambdafs-example-");
        conf.setLong("dfs.blocksize", blockSize);
        conf.set("mapreduce.framework.name", "local");
        int processors = Runtime.getRuntime().availableProcessors();
        conf.setInt("mapreduce.local.map.tasks.maximum", processors);
        conf.setInt("mapreduce.local.reduce.tasks.maximum", processors);
        // By default each reduce task takes 0.7 of the heap for what it fetches, as if it had the JVM to itself.
        conf.setFloat("mapreduce.reduce.shuffle.input.buffer.percent", 0.4f / processors);
        // What a job keeps on local disks, and where it hands over to its tasks.
        conf.set("hadoop.tmp.dir", scratch.toString());
        try (FileSystem fs = FileSystem.newInstance(conf)) {
            run(fs, conf);
        } finally {
            // Those that tasks share, too: S3A would make its folder below the scratch again in the next job.
            FileSystem.closeAll();
            FileSystem.getLocal(conf).delete(new org.apache.hadoop.fs.Path(scratch.toString()), true);
        }
        return phases;
    }

    /**
     * Runs a step, showing how far it is.
     *
     * @param bytes that it reads and writes, in all
     * @throws IOException where the job says that it failed
     */
    final void step(String name, long bytes, Configuration conf, Tool tool, String... arguments) throws Exception {
        try (Progress progress =
                new Progress(name, bytes, FileSystem.getDefaultUri(conf).getScheme())) {
            int status = ToolRunner.run(conf, tool, arguments);
            if (status != 0) {
                throw new IOException(
                        name + " failed with status " + status + "; LAMBDAFS_EXAMPLE_LOG=INFO shows its whole log");
            }
            phases.add(new Phase(name, bytes, progress.done()));
        }
    }
}
