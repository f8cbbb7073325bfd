package io.lambdafs.cluster.settings;

import static io.lambdafs.cluster.settings.SettingsCheck.check;
import static io.lambdafs.cluster.settings.SettingsCheck.isEnsemble;

/**
 * Settings of the metadata store.
 *
 * @param engine {@code embedded}, RocksDB in the cluster's directory; {@code postgres}; or {@code ndb}
 * @param jdbcUrl of an external PostgreSQL; empty for the cluster's own, and for the embedded engine
 * @param user of that PostgreSQL; empty for the account of the cluster's own
 * @param passwordFile containing only this user's password; empty for none, or for the cluster's own
 * @param ndbConnect management servers of an external NDB; empty for the cluster's own, and for other engines
 * @param ndbMemoryMb data memory of the cluster's own NDB
 * @param ndbDiskMb size of the tablespace created on the data nodes' disks for contents of small files, if there is
 *     none; 0 to keep them in memory. Takes effect when the tables are created
 * @param ndbReplicas data nodes of the cluster's own NDB, each with all rows
 * @param ndbAck when an NDB store acknowledges: {@code replicated}, in the memory of all replicas; {@code checkpoint},
 *     on their disks
 * @param fsync whether commits of the embedded engine wait for the disk; without it a power failure loses acknowledged
 *     writes
 * @param heapMb of its process
 * @param compilers {@code both} of its JVM's, or only the {@code first}: the second makes faster code, and takes part
 *     of a processor for a minute or two to do so
 * @param servers processes, one of which is active while the others stand by
 * @param address {@code HOST:PORT[,HOST:PORT…]} of the store servers of a cluster that runs elsewhere; empty for one of
 *     this machine
 */
public record StoreSettings(
        String engine,
        String jdbcUrl,
        String user,
        String passwordFile,
        String ndbConnect,
        int ndbMemoryMb,
        int ndbDiskMb,
        int ndbReplicas,
        String ndbAck,
        boolean fsync,
        int heapMb,
        String compilers,
        int servers,
        String address) {
    public static final String POSTGRES = "postgres";
    public static final String NDB = "ndb";
    private static final String CHECKPOINT = "checkpoint";

    public StoreSettings {
        check(engine.matches("embedded|postgres|ndb"), "store.engine", "embedded, postgres or ndb", engine);
        check(
                jdbcUrl.isEmpty() || (jdbcUrl.startsWith("jdbc:postgresql:") && engine.equals(POSTGRES)),
                "store.jdbcUrl",
                "jdbc:postgresql://HOST:PORT/DATABASE where the engine is postgres, else empty",
                jdbcUrl);
        check(
                jdbcUrl.isEmpty() || !user.isEmpty(),
                "store.user",
                "a user of the database that store.jdbcUrl names (cluster start --jdbc-user USER)",
                "empty");
        check(
                ndbConnect.isEmpty() || (isEnsemble(ndbConnect) && engine.equals(NDB)),
                "store.ndbConnect",
                "HOST:PORT[,HOST:PORT…] where the engine is ndb, else empty",
                ndbConnect);
        check(ndbMemoryMb >= 64, "store.ndbMemoryMb", "at least 64", ndbMemoryMb);
        check(ndbDiskMb == 0 || ndbDiskMb >= 16, "store.ndbDiskMb", "0, or at least 16", ndbDiskMb);
        check(ndbReplicas == 1 || ndbReplicas == 2, "store.ndbReplicas", "1 or 2", ndbReplicas);
        check(ndbAck.matches("replicated|checkpoint"), "store.ndbAck", "replicated or checkpoint", ndbAck);
        check(heapMb >= 64, "store.heapMb", "at least 64", heapMb);
        check(compilers.matches("both|first"), "store.compilers", "both or first", compilers);
        check(
                servers >= 1 && servers <= (engine.equals("embedded") ? 1 : Service.MOST_STORES),
                "store.servers",
                "1 with the embedded engine, 1.." + Service.MOST_STORES + " with the others",
                servers);
        check(
                address.isEmpty() || isEnsemble(address),
                "store.address",
                "HOST:PORT[,HOST:PORT…] of a store that runs elsewhere, or empty",
                address);
    }

    public boolean isPostgres() {
        return engine.equals(POSTGRES);
    }

    public boolean isNdb() {
        return engine.equals(NDB);
    }

    public boolean awaitsCheckpoints() {
        return ndbAck.equals(CHECKPOINT);
    }

    /** Returns whether it keeps its data in that folder of the cluster's directory. */
    public boolean isIn(String folder) {
        return switch (folder) {
            case POSTGRES -> hasOwnPostgres();
            case NDB -> hasOwnNdb();
            default -> folder.equals("store") && !isPostgres() && !isNdb();
        };
    }

    public boolean hasOwnPostgres() {
        return isPostgres() && jdbcUrl.isEmpty();
    }

    public boolean hasOwnNdb() {
        return isNdb() && ndbConnect.isEmpty();
    }
}
