package io.lambdafs.door.hdfs.transfer;

import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.Version;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code lambdafs export}: copies a tree of the cluster to another file system. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Copy a tree of the cluster to another file system.",
            "Contents are compared; rights, times, ACLs and extended attributes are kept. An export that was ended"
                    + " goes on."
        })
public final class ExportCommand extends TransferCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "SOURCE", description = "A path of the cluster.")
    private String source = "";

    @Parameters(index = "1", paramLabel = "TARGET", description = "hdfs://HOST:PORT/PATH, webhdfs://…, file:///PATH.")
    private String target = "";

    public ExportCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws Exception {
        Path path = new Path(target);
        try (FileSystem from = own();
                FileSystem to = other(path)) {
            return copy(from, new Path(source), to, path);
        }
    }
}
