package io.lambdafs.cluster.process;

import io.lambdafs.cluster.settings.Service;
import io.lambdafs.cluster.settings.StoreSettings;
import io.lambdafs.model.FsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Locates the parts of an installed MySQL NDB Cluster that a store on NDB needs and no registry has, by environment
 * variables. Stateless.
 */
public final class NdbInstallation {
    private static final String CLIENT_JAR = "CLUSTERJ_JAR";
    private static final String LIBRARIES = "NDB_LIBRARY_PATH";
    private static final String HOME = "NDB_HOME";

    private NdbInstallation() {}

    /** Fails with {@code UNAVAILABLE} if something is missing, and advises what to set. */
    public static void demand(StoreSettings store) {
        if (file(CLIENT_JAR, "").isEmpty()) {
            throw missing(CLIENT_JAR + " must name clusterj.jar");
        }
        if (NdbInstallation.class.getResource("/" + Service.NDB_STORE.replace('.', '/') + ".class") == null) {
            throw missing("this build was made without it: build it again with " + CLIENT_JAR + " set");
        }
        if (file(LIBRARIES, "libndbclient.so").isEmpty()) {
            throw missing(LIBRARIES + " must name the folder that has libndbclient.so");
        }
        if (store.hasOwnNdb() && file(HOME, "bin/ndbmtd").isEmpty()) {
            throw missing(HOME
                    + " must name the folder whose bin has ndb_mgmd and ndbmtd, or --ndb-connect an NDB that runs");
        }
    }

    private static FsException missing(String what) {
        return FsException.unavailable("the store ndb needs parts of MySQL NDB Cluster 8.0 or newer"
                + " (https://dev.mysql.com/downloads/cluster/): " + what);
    }

    private static Optional<Path> file(String variable, String name) {
        return Optional.ofNullable(System.getenv(variable))
                .filter(value -> !value.isEmpty())
                .map(value -> Path.of(value, name))
                .filter(Files::exists);
    }

    /** Returns the jar of NDB's client. */
    static Path clientJar() {
        return file(CLIENT_JAR, "").orElseThrow().toAbsolutePath();
    }
}
