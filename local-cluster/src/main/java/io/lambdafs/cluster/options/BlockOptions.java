package io.lambdafs.cluster.options;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --datanodes}, {@code --blocks}, {@code --blocks-endpoint} and {@code --block-cache}. */
public final class BlockOptions {
    @Option(
            names = "--datanodes",
            paramLabel = "N",
            description = "Processes that serve the content of files that are not small; 0 for none (default 1).")
    private @Nullable Integer datanodes;

    @Option(
            names = "--blocks",
            paramLabel = "DIR|s3://BUCKET[/PREFIX]",
            description = "Where that content is kept (default: blocks/ in the cluster's directory).")
    private @Nullable String place;

    @Option(
            names = "--blocks-endpoint",
            paramLabel = "URL",
            description = "An object store that speaks S3, in place of Amazon's (default: none).")
    private @Nullable String endpoint;

    @Option(
            names = "--block-cache",
            paramLabel = "MB",
            description = "Of an object store's objects on each datanode's disk; 0 for none (default 4096).")
    private @Nullable Integer cacheMb;

    /** Adds what was given to keys of settings. */
    public void addTo(ObjectNode keys) {
        if (datanodes != null) {
            keys.withObject("blocks").put("datanodes", datanodes);
        }
        if (place != null) {
            String absolute = place.contains("://")
                    ? place
                    : Path.of(place).toAbsolutePath().toString();
            keys.withObject("blocks").put("place", absolute);
        }
        if (cacheMb != null) {
            keys.withObject("blocks").put("cacheMb", cacheMb);
        }
        if (endpoint != null) {
            keys.withObject("blocks").put("endpoint", endpoint);
        }
    }
}
