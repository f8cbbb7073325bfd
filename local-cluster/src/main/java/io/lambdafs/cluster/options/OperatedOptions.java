package io.lambdafs.cluster.options;

import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.blocks.OperatedCluster;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.Console;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The cluster that a command works on, wherever it runs: {@code --dir}, or {@code --store} with {@code --secret-file}.
 */
public final class OperatedOptions {
    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    @Option(
            names = "--store",
            paramLabel = "HOST:PORT",
            description = "Store of a cluster elsewhere, HOST:PORT,… for several servers (default: from DIR).")
    private String store = "";

    @Mixin
    private DistantOptions distant = new DistantOptions();

    /** Returns the selected cluster. */
    public OperatedCluster find(Console console) {
        return find(console, List.of(), "");
    }

    OperatedCluster find(Console console, List<String> places, String endpoint) {
        return distant.find(directory, store, places, endpoint, console)
                .<OperatedCluster>map(found -> found)
                .orElseGet(() -> new LocalCluster(directory(), console));
    }

    /** Returns whether the store's address was given. */
    public boolean isAddressed() {
        return !store.isEmpty();
    }

    /** Uses a client of the cluster, as {@link DirectoryOption#calling}. */
    public <T> T calling(Console console, DirectoryOption.Use<T> use) {
        return directory.calling(console, use);
    }

    public ClusterDirectory directory() {
        return directory.find();
    }
}
