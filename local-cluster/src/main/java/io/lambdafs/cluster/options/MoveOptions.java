package io.lambdafs.cluster.options;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --to} and its options: the store that metadata is moved to. */
public final class MoveOptions {
    @Option(
            names = "--to",
            required = true,
            paramLabel = "embedded|postgres|ndb",
            description = "What is to keep the metadata.")
    private String engine = "";

    @Option(
            names = "--jdbc-url",
            paramLabel = "URL",
            defaultValue = "",
            description = "A PostgreSQL that runs, jdbc:postgresql://HOST:PORT/DATABASE (default: one is started).")
    private String url = "";

    @Option(names = "--jdbc-user", paramLabel = "USER", defaultValue = "", description = "Who logs in there.")
    private String user = "";

    @Option(names = "--password-file", paramLabel = "FILE", description = "Holds this user's password alone.")
    private @Nullable Path passwordFile;

    @Option(
            names = "--ndb-connect",
            paramLabel = "HOST:PORT",
            defaultValue = "",
            description = "Management server of an NDB Cluster that runs (default: one is started).")
    private String ndbConnect = "";

    public String engine() {
        return engine;
    }

    /** Returns the complete new keys of {@code store} in a cluster's settings. */
    public ObjectNode keys() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("engine", engine)
                .put("jdbcUrl", url)
                .put("user", user)
                .put(
                        "passwordFile",
                        passwordFile == null
                                ? ""
                                : passwordFile.toAbsolutePath().toString())
                .put("ndbConnect", ndbConnect)
                .put("servers", 1);
    }
}
