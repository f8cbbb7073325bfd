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
            description = "Number of datanodes, which serve the contents of larger files; 0 for none (default 1).")
    private @Nullable Integer datanodes;

    @Option(
            names = "--blocks",
            paramLabel = "[NAME=]DIR|s3://BUCKET[/PREFIX]",
            description = {
                "Block store of those contents: a directory, s3://, or with the cloud module az:// and gs:// "
                        + "(default: blocks/ in the cluster's directory).",
                "May be repeated with a name: the block store of directories whose storage policy has that name."
            })
    private List<String> places = List.of();

    @Option(
            names = "--blocks-endpoint",
            paramLabel = "URL",
            description = "S3-compatible object store to use instead of Amazon's (default: none).")
    private @Nullable String endpoint;

    @Option(
            names = "--blocks-direct",
            description =
                    "Let clients access an object store directly, by URLs that instances sign with this environment's "
                            + "credentials; starts no datanodes unless --datanodes is given.")
    private boolean direct;

    @Option(
            names = "--block-cache",
            paramLabel = "MB",
            description = "Cache of objects on each datanode's disk; 0 for none (default 4096).")
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
