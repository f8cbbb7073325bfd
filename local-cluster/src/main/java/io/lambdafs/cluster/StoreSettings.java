package io.lambdafs.cluster;

import static io.lambdafs.cluster.SettingsCheck.check;
import static io.lambdafs.cluster.SettingsCheck.isEnsemble;

/**
 * How the store keeps rows.
 *
 * @param engine {@code embedded}, RocksDB in the cluster's directory; {@code postgres}; or {@code ndb}
 * @param jdbcUrl of a PostgreSQL that runs; empty for one of the cluster's own, and for the embedded engine
 * @param user of that PostgreSQL; empty for the account of this cluster's own
 * @param passwordFile that holds this user's password alone; empty for none, or for the cluster's own
 * @param ndbConnect management servers of an NDB that runs; empty for one of the cluster's own, and for other engines
 * @param ndbMemoryMb for rows, of an NDB of the cluster's own
 * @param ndbReplicas data nodes of an NDB of the cluster's own, each with all rows
 * @param ndbAck what an answer of an NDB's store means: {@code replicated}, it is in the memory of all replicas; {@code checkpoint}, on their disks
 * @param fsync whether a commit of the embedded engine waits for the disk; without it a power failure loses acknowledged writes
 * @param heapMb of its process
 * @param servers processes of which one serves, and the others wait to take its place
 */
public record StoreSettings(
        String engine,
        String jdbcUrl,
        String user,
        String passwordFile,
        String ndbConnect,
        int ndbMemoryMb,
        int ndbReplicas,
        String ndbAck,
        boolean fsync,
        int heapMb,
        int servers) {
    static final String POSTGRES = "postgres";
    static final String NDB = "ndb";
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
                "a user of the database that store.jdbcUrl names",
                "empty");
        check(
                ndbConnect.isEmpty() || (isEnsemble(ndbConnect) && engine.equals(NDB)),
                "store.ndbConnect",
                "HOST:PORT[,HOST:PORT…] where the engine is ndb, else empty",
                ndbConnect);
        check(ndbMemoryMb >= 64, "store.ndbMemoryMb", "at least 64", ndbMemoryMb);
        check(ndbReplicas == 1 || ndbReplicas == 2, "store.ndbReplicas", "1 or 2", ndbReplicas);
        check(ndbAck.matches("replicated|checkpoint"), "store.ndbAck", "replicated or checkpoint", ndbAck);
        check(heapMb >= 64, "store.heapMb", "at least 64", heapMb);
        check(
                servers >= 1 && servers <= (engine.equals("embedded") ? 1 : Service.MOST_STORES),
                "store.servers",
                "1 with the embedded engine, 1.." + Service.MOST_STORES + " with the others",
                servers);
    }

    boolean isPostgres() {
        return engine.equals(POSTGRES);
    }

    boolean isNdb() {
        return engine.equals(NDB);
    }

    boolean awaitsCheckpoints() {
        return ndbAck.equals(CHECKPOINT);
    }

    boolean hasOwnPostgres() {
        return isPostgres() && jdbcUrl.isEmpty();
    }

    boolean hasOwnNdb() {
        return isNdb() && ndbConnect.isEmpty();
    }
}
