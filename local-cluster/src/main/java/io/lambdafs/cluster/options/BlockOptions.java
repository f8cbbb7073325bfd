package io.lambdafs.cluster.options;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * {@code --datanodes}, {@code --blocks}, {@code --blocks-endpoint}, {@code --blocks-direct} and {@code --block-cache}.
 */
public final class BlockOptions {
    private static final Pattern NAMED = Pattern.compile("([A-Za-z][A-Za-z0-9_-]*)=(.+)");

    @Option(
            names = "--datanodes",
            paramLabel = "N",
            description = "Processes that serve the content of files that are not small; 0 for none (default 1).")
    private @Nullable Integer datanodes;

    @Option(
            names = "--blocks",
            paramLabel = "[NAME=]DIR|s3://BUCKET[/PREFIX]",
            description = {
                "Where that content is kept (default: blocks/ in the cluster's directory); az:// and gs:// places too, where the module for them is there.",
                "With a name, may be repeated: where the content of directories is kept whose storage policy has that name."
            })
    private List<String> places = List.of();

    @Option(
            names = "--blocks-endpoint",
            paramLabel = "URL",
            description = "An object store that speaks S3, in place of Amazon's (default: none).")
    private @Nullable String endpoint;

    @Option(
            names = "--blocks-direct",
            description =
                    "Clients write and read an object store themselves, by URLs that instances sign with the credentials of this"
                            + " environment; there are no datanodes then, unless --datanodes says so.")
    private boolean direct;

    @Option(
            names = "--block-cache",
            paramLabel = "MB",
            description = "Of an object store's objects on each datanode's disk; 0 for none (default 4096).")
    private @Nullable Integer cacheMb;

    private static String absolute(String place) {
        return place.contains("://") ? place : Path.of(place).toAbsolutePath().toString();
    }

    /** Adds the given options to the settings' keys. */
    public void addTo(ObjectNode keys) {
        if (datanodes != null) {
            keys.withObject("blocks").put("datanodes", datanodes);
        }
        if (direct) {
            keys.withObject("blocks").put("direct", true);
            if (datanodes == null) {
                keys.withObject("blocks").put("datanodes", 0);
            }
        }
        for (String each : places) {
            Matcher named = NAMED.matcher(each);
            if (named.matches()) {
                keys.withObject("blocks")
                        .withObject("stores")
                        .put(named.group(1).toLowerCase(Locale.ROOT), absolute(named.group(2)));
            } else {
                keys.withObject("blocks").put("place", absolute(each));
            }
        }
        if (cacheMb != null) {
            keys.withObject("blocks").put("cacheMb", cacheMb);
        }
        if (endpoint != null) {
            keys.withObject("blocks").put("endpoint", endpoint);
        }
    }
}
