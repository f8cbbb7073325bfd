package io.lambdafs.cluster.options;

import io.lambdafs.cluster.settings.ClusterDirectory;
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

    public boolean isGiven() {
        return directory != null;
    }

    public ClusterDirectory find() {
        return ClusterDirectory.find(directory, System.getenv());
    }
}
