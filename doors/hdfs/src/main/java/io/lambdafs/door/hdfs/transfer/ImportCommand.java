package io.lambdafs.door.hdfs.transfer;

import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.Version;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code lambdafs import}: copies a tree of another file system into the cluster. */
@Command(
        name = "import",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Copy a tree of another file system into the cluster.",
            "Contents are compared; rights, times, ACLs and extended attributes are kept. An import that was ended"
                    + " goes on."
        })
public final class ImportCommand extends TransferCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "SOURCE", description = "hdfs://HOST:PORT/PATH, webhdfs://…, file:///PATH.")
    private String source = "";

    @Parameters(index = "1", paramLabel = "TARGET", defaultValue = "/", description = "Default: ${DEFAULT-VALUE}.")
    private String target = "/";

    public ImportCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws Exception {
        Path path = new Path(source);
        try (FileSystem to = own();
                FileSystem from = other(path)) {
            return copy(from, path, to, new Path(target));
        }
    }
}
