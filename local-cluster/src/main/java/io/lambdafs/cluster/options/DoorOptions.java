package io.lambdafs.cluster.options;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --doors}. */
public final class DoorOptions {
    private static final String NONE = "none";

    @Option(
            names = "--doors",
            paramLabel = "DOORS",
            description =
                    "Other wires to serve, on this machine only: hdfs, for programs that speak hdfs://, and webhdfs,"
                            + " HDFS's REST API, which believe whoever connects; s3, S3's REST API, with the keys of"
                            + " door s3-key; several, as hdfs,s3; none (default).")
    private @Nullable String doors;

    @Option(
            names = "--door-copies",
            paramLabel = "N",
            description =
                    "Processes of each door (default 1): a client that knows several goes on with another when one is"
                            + " lost.")
    private @Nullable Integer copies;

    /** Adds the given options to the settings' keys. */
    public void addTo(ObjectNode keys) {
        if (doors != null) {
            keys.withObject("doors").put("open", doors.equals(NONE) ? "" : doors);
        }
        if (copies != null) {
            keys.withObject("doors").put("copies", copies);
        }
    }
}
