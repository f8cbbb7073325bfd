package io.lambdafs.door.hdfs.transfer;

import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.model.ErrorCode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options and the course of {@code import} and {@code export}. */
abstract class TransferCommand {
    private static final long PROGRESS_NANOS = Duration.ofSeconds(5).toNanos();

    private final Console console;
    private final AtomicLong told = new AtomicLong(System.nanoTime());

    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    @Option(
            names = "--parallel",
            paramLabel = "N",
            defaultValue = "8",
            description = "Files at once. Default: ${DEFAULT-VALUE}.")
    private int parallel = 8;

    @Option(names = "--no-verify", description = "Do not compare contents after they are copied.")
    private boolean unverified;

    TransferCommand(Console console) {
        this.console = console;
    }

    /** Returns the cluster's file system. */
    FileSystem own() throws IOException {
        ClusterDirectory found = directory.find();
        new LocalCluster(found, console).gateway().demandAnswer();
        Configuration configuration = new Configuration();
        configuration.set("lambdafs.dir", found.toString());
        return FileSystem.newInstance(URI.create("lambdafs:///"), configuration);
    }

    static FileSystem other(Path path) throws IOException {
        return FileSystem.newInstance(path.toUri(), new Configuration());
    }

    int copy(FileSystem from, Path source, FileSystem to, Path target) throws InterruptedException {
        if (parallel < 1) {
            throw new CommandFailure(ExitCode.USAGE, ErrorCode.INVALID_ARGUMENT, "--parallel must be at least 1");
        }
        TreeCopy.Counts counts;
        try {
            counts = new TreeCopy(from, to, !unverified, new Telling()).copy(source, target, parallel);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, ErrorCode.UNAVAILABLE, String.valueOf(e.getMessage()));
        }
        console.print(counts.toString());
        return counts.failed() == 0 ? ExitCode.OK.number() : ExitCode.FAILED.number();
    }

    private final class Telling implements TreeCopy.Report {
        @Override
        public void failed(Path path, Exception why) {
            console.say("lambdafs: " + path + ": " + why.getMessage());
        }

        @Override
        public void progress(TreeCopy.Counts counts) {
            long last = told.get();
            long now = System.nanoTime();
            if (now - last >= PROGRESS_NANOS && told.compareAndSet(last, now)) {
                console.say(counts.toString());
            }
        }
    }
}
