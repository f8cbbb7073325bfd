package io.lambdafs.cluster.options;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * {@code --store}, {@code --store-servers}, {@code --jdbc-url}, {@code --jdbc-user}, {@code --password-file},
 * {@code --ndb-connect} and {@code --ndb-ack}.
 */
public final class StoreOptions {
    @Option(
            names = "--store",
            paramLabel = "embedded|postgres|ndb",
            description =
                    "Store of the metadata: embedded (RocksDB in the cluster's directory), postgres, or ndb (MySQL "
                            + "NDB Cluster) (default embedded).")
    private @Nullable String engine;

    @Option(
            names = "--store-servers",
            paramLabel = "N",
            description =
                    "Number of store servers, 1 to 12, for postgres or ndb: one serves, the others stand by (default "
                            + "1).")
    private @Nullable Integer servers;

    @Option(
            names = "--jdbc-url",
            paramLabel = "URL",
            description = "Existing PostgreSQL, jdbc:postgresql://HOST:PORT/DATABASE (default: starts one).")
    private @Nullable String url;

    @Option(names = "--jdbc-user", paramLabel = "USER", description = "User of that database.")
    private @Nullable String user;

    @Option(names = "--password-file", paramLabel = "FILE", description = "File with this user's password only.")
    private @Nullable Path passwordFile;

    @Option(
            names = "--ndb-connect",
            paramLabel = "HOST:PORT",
            description = "Management server of an existing NDB Cluster (default: starts one).")
    private @Nullable String ndbConnect;

    @Option(
            names = "--ndb-ack",
            paramLabel = "replicated|checkpoint",
            description = "Acknowledge a write of NDB once all replicas hold it in memory, or on disk too (default "
                    + "replicated).")
    private @Nullable String ndbAck;

    /**
     * Returns the store servers' addresses, HOST:PORT[,HOST:PORT…], that a command was given in place of an engine;
     * else nothing.
     */
    public String address() {
        return engine != null && engine.contains(":") ? engine : "";
    }

    /** Adds the given options to the settings' keys. */
    public void addTo(ObjectNode keys) {
        if (engine != null) {
            keys.withObject("store").put("engine", engine);
        }
        if (servers != null) {
            keys.withObject("store").put("servers", servers);
        }
        if (url != null) {
            keys.withObject("store").put("jdbcUrl", url);
        }
        if (ndbConnect != null) {
            keys.withObject("store").put("ndbConnect", ndbConnect);
        }
        if (ndbAck != null) {
            keys.withObject("store").put("ndbAck", ndbAck);
        }
        if (user != null) {
            keys.withObject("store").put("user", user);
        }
        if (passwordFile != null) {
            keys.withObject("store")
                    .put("passwordFile", passwordFile.toAbsolutePath().toString());
        }
    }
}
