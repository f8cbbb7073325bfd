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

/** The common part of the examples: the cluster, the local job runner's settings, and running and showing a step. */
abstract class Job implements Callable<Integer> {
    private static final int END_POLL_MS = 50;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Directory of the cluster (default: starts a temporary cluster).")
    private @Nullable Path directory;

    @Option(
            names = "--block-size",
            paramLabel = "BYTES",
            defaultValue = "134217728",
            description = "Block size of written files (default 128 MB).")
    private long blockSize;

    private final List<Phase> phases = new ArrayList<>();

    /**
     * A finished step.
     *
     * @param bytes to be read and written
     */
    record Phase(String name, long bytes, double seconds) {}

    @Mixin
    private BlockOptions blocks = new BlockOptions();

    /** Adds the settings of a cluster started for the example, and the user's. */
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
        // By default a client looks once a second, and once in five, for the end of its job.
        conf.setInt("mapreduce.client.progressmonitor.pollinterval", END_POLL_MS);
        conf.setInt("mapreduce.client.completion.pollinterval", END_POLL_MS);
        // By default each reduce task takes 0.7 of the heap for fetched data, as if it had the JVM to itself.
        conf.setFloat("mapreduce.reduce.shuffle.input.buffer.percent", 0.4f / processors);
        // The folder for a job's local files, and for handing over to its tasks.
        conf.set("hadoop.tmp.dir", scratch.toString());
        try (FileSystem fs = FileSystem.newInstance(conf)) {
            run(fs, conf);
        } finally {
            // Also those that tasks share: in the next job, S3A would recreate its folder below this scratch folder.
            FileSystem.closeAll();
            FileSystem.getLocal(conf).delete(new org.apache.hadoop.fs.Path(scratch.toString()), true);
        }
        return phases;
    }

    /**
     * Runs a step, showing its progress.
     *
     * @param bytes that it reads and writes, in all
     * @throws IOException if the job reports a failure
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
