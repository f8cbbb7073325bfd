package io.lambdafs.cluster.options;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.model.ErrorCode;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --dir}, common to all commands on a cluster. */
public final class DirectoryOption {
    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Directory of the cluster (default: $LAMBDAFS_DIR, else ~/.lambdafs/default).")
    private @Nullable Path directory;

    /** Uses a client. */
    public interface Use<T> {
        T with(BlockingLambdaFs fs) throws InterruptedException;
    }

    public boolean isGiven() {
        return directory != null;
    }

    public ClusterDirectory find() {
        return ClusterDirectory.find(directory, System.getenv());
    }

    /** Uses a client of the cluster, whose gateway must answer. */
    public <T> T calling(Console console, Use<T> use) {
        ClusterDirectory found = find();
        new LocalCluster(found, console).gateway().demandAnswer();
        try (BlockingLambdaFs fs = BlockingLambdaFs.open(ClientConfig.load(found.client()))) {
            return use.with(fs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.FAILED, ErrorCode.INTERNAL, "interrupted");
        }
    }
}
