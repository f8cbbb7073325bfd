package io.lambdafs.hammer.measure;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lambdafs.cluster.LocalCluster;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of a measurement on an imported tree and a temporary cluster. Confined to the command's thread. */
public final class TreeOptions {
    @Option(names = "--tree", paramLabel = "DIR", description = "Local tree to import (default ${DEFAULT-VALUE}).")
    private Path tree = Path.of("/usr/share");

    @Option(
            names = "--max-files",
            paramLabel = "N",
            description = "Maximum number of files to import (default ${DEFAULT-VALUE}).")
    private int maxFiles = 5_000;

    @Option(names = "--conf", paramLabel = "FILE", description = "JSON file with settings of the cluster.")
    private @Nullable Path conf;

    public Path tree() {
        return tree;
    }

    public int maxFiles() {
        return maxFiles;
    }

    /** Returns the options to start the cluster with. */
    public LocalCluster.StartOptions startOptions() {
        return new LocalCluster.StartOptions(conf, JsonNodeFactory.instance.objectNode());
    }
}
