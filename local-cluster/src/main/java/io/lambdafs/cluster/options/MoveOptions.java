package io.lambdafs.cluster.options;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --to} and its options: the store that metadata is moved to. */
public final class MoveOptions {
    @Option(names = "--to", required = true, paramLabel = "embedded|postgres|ndb", description = "Store to move to.")
    private String engine = "";

    @Option(
            names = "--jdbc-url",
            paramLabel = "URL",
            defaultValue = "",
            description = "Existing PostgreSQL, jdbc:postgresql://HOST:PORT/DATABASE (default: starts one).")
    private String url = "";

    @Option(names = "--jdbc-user", paramLabel = "USER", defaultValue = "", description = "User of that database.")
    private String user = "";

    @Option(names = "--password-file", paramLabel = "FILE", description = "File with this user's password only.")
    private @Nullable Path passwordFile;

    @Option(
            names = "--ndb-connect",
            paramLabel = "HOST:PORT",
            defaultValue = "",
            description = "Management server of an existing NDB Cluster (default: starts one).")
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
