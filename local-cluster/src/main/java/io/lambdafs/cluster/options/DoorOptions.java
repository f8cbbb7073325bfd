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
                    "Other wires to serve: hdfs, for programs that speak hdfs:// (on this machine only: it believes whoever connects); none (default).")
    private @Nullable String doors;

    /** Adds the given option to the settings' keys. */
    public void addTo(ObjectNode keys) {
        if (doors != null) {
            keys.withObject("doors").put("open", doors.equals(NONE) ? "" : doors);
        }
    }
}
